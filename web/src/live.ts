// News of one game: a WebSocket that comes back after every loss, and asking while it is away.
import { ApiError } from './api';
import type { Game } from './types';

/// How the page hears of changes: pushed, asked for now and then, or not at the moment.
export type Link = 'connecting' | 'live' | 'polling' | 'lost';

export interface LiveOptions {
  onGame: (game: Game, fresh: boolean) => void; // fresh: the server's present word, whatever came before
  onLink: (link: Link) => void;
  onGone: () => void; // the server does not know the game
  fetchGame: () => Promise<Game>;
  openSocket: () => WebSocket;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

export class Live {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private failures = 0;
  private stopped = false;

  constructor(private readonly options: LiveOptions) {}

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
      const message = parse(event.data);
      if (!message) return;
      this.failures = 0;
      this.options.onLink('live');
      this.options.onGame(message, first);
      first = false;
    };
    socket.onclose = () => {
      if (this.stopped || this.socket !== socket) return;
      this.socket = null;
      ++this.failures;
      void this.ask();
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (this.failures - 1), LONGEST_WAIT_MS);
      this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
    };
  }

  private async ask(): Promise<void> {
    try {
      const game = await this.options.fetchGame();
      if (this.stopped || this.socket?.readyState === 1) return;
      this.options.onLink('polling');
      this.options.onGame(game, true);
    } catch (error) {
      if (this.stopped) return;
      if (error instanceof ApiError && error.status === 404) {
        this.stop();
        this.options.onGone();
      } else if (this.socket?.readyState !== 1) {
        this.options.onLink('lost');
      }
    }
  }
}

function parse(data: unknown): Game | null {
  try {
    const message = JSON.parse(String(data)) as { type?: string; data?: Game };
    return message.type === 'game' && message.data ? message.data : null;
  } catch {
    return null;
  }
}

export function socketFor(token: string): WebSocket {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(`${scheme}//${location.host}/api/v1/games/${token}/live`);
}
