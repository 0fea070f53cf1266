// News of one game or of the robot's table: a WebSocket that comes back after every loss, and asking
// while it is away.
import { ApiError } from './api';

/// How the page hears of changes: pushed, asked for now and then, or not at the moment.
export type Link = 'connecting' | 'live' | 'polling' | 'lost';

export interface LiveOptions<News> {
  type: string; // of the messages to listen to
  onNews: (news: News, fresh: boolean) => void; // fresh: the server's present word, whatever came before
  onLink: (link: Link) => void;
  onGone: () => void; // the server does not know of it
  ask: () => Promise<News>;
  openSocket: () => WebSocket;
}

const FIRST_WAIT_MS = 500;
const LONGEST_POLL_MS = 2000;
const LONGEST_WAIT_MS = 8000;

export class Live<News> {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private failures = 0;
  private stopped = false;

  constructor(private readonly options: LiveOptions<News>) {}

  start(): void {
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.socket?.close();
  }

  /// The network or the tab is back: no need to wait out the pause.
  hurry(): void {
    if (this.stopped || this.socket || !this.timer) return;
    clearTimeout(this.timer);
    this.connect();
  }

  private connect(): void {
    this.timer = null;
    let first = true;
    const socket = this.options.openSocket();
    this.socket = socket;
    socket.onmessage = (event) => {
      if (this.stopped) return;
      const message = this.parse(event.data);
      if (!message) return;
      this.failures = 0;
      this.options.onLink('live');
      this.options.onNews(message, first);
      first = false;
    };
    socket.onclose = () => {
      if (this.stopped || this.socket !== socket) return;
      this.socket = null;
      ++this.failures;
      void this.ask().then((heard) => {
        if (this.stopped) return;
        // Where only WebSockets fail, asking is all we have: then do it often.
        const longest = heard ? LONGEST_POLL_MS : LONGEST_WAIT_MS;
        const wait = Math.min(FIRST_WAIT_MS * 2 ** (this.failures - 1), longest);
        this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
      });
    };
  }

  /// Whether the server answered.
  private async ask(): Promise<boolean> {
    try {
      const news = await this.options.ask();
      if (this.stopped) return true;
      this.options.onLink('polling');
      this.options.onNews(news, true);
      return true;
    } catch (error) {
      if (this.stopped) return false;
      if (error instanceof ApiError && error.status === 404) {
        this.stop();
        this.options.onGone();
      } else {
        this.options.onLink('lost');
      }
      return false;
    }
  }

  private parse(data: unknown): News | null {
    try {
      const message = JSON.parse(String(data)) as { type?: string; data?: News };
      return message.type === this.options.type && message.data ? message.data : null;
    } catch {
      return null;
    }
  }
}

export function socketAt(path: string): WebSocket {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(`${scheme}//${location.host}/api/v1${path}`);
}

export const socketFor = (token: string): WebSocket => socketAt(`/games/${token}/live`);
