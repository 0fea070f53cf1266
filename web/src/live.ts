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
/// A dead connection looks like a quiet one: we ask now and then whether somebody is there, and
/// give up on a connection that has been silent for longer.
const ASK_EVERY_MS = 2000;
const LONGEST_SILENCE_MS = 5500;
const OPEN = 1; // WebSocket.OPEN

export class Live<News> {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private pulse: ReturnType<typeof setInterval> | null = null;
  private failures = 0;
  private stopped = false;

  constructor(private readonly options: LiveOptions<News>) {}

  start(): void {
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.drop();
  }

  /// The network or the tab is back: no need to wait out the pause. (A tab that slept finds out by
  /// itself, at its next pulse, that its connection did not survive.)
  hurry(): void {
    if (this.stopped || this.socket || !this.timer) return;
    clearTimeout(this.timer);
    this.connect();
  }

  private connect(): void {
    this.timer = null;
    let first = true;
    let heard = Date.now();
    const socket = this.options.openSocket();
    this.socket = socket;
    this.pulse = setInterval(() => {
      if (Date.now() - heard > LONGEST_SILENCE_MS) {
        this.options.onLink('lost');
        this.lost();
      }
      if (this.socket === socket && socket.readyState === OPEN) socket.send('?');
    }, ASK_EVERY_MS);
    socket.onmessage = (event) => {
      if (this.stopped || this.socket !== socket) return;
      heard = Date.now();
      const message = this.parse(event.data);
      if (!message) return;
      this.failures = 0;
      this.options.onLink('live');
      this.options.onNews(message, first);
      first = false;
    };
    socket.onclose = () => {
      if (!this.stopped && this.socket === socket) this.lost();
    };
  }

  /// The connection is gone, or as good as gone.
  private lost(): void {
    this.drop();
    ++this.failures;
    void this.ask().then((heard) => {
      if (this.stopped) return;
      // Where only WebSockets fail, asking is all we have: then do it often.
      const longest = heard ? LONGEST_POLL_MS : LONGEST_WAIT_MS;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (this.failures - 1), longest);
      this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
    });
  }

  private drop(): void {
    if (this.pulse) clearInterval(this.pulse);
    this.pulse = null;
    const { socket } = this;
    this.socket = null; // first: its end is no news
    socket?.close();
  }

  /// Whether the server answered.
  private async ask(): Promise<boolean> {
    try {
      const late = new Promise<never>((_, fail) =>
        setTimeout(() => fail(new Error('no answer')), LONGEST_SILENCE_MS),
      );
      const news = await Promise.race([this.options.ask(), late]);
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
