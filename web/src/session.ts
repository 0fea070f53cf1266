// One game as the page sees it: the server's last word plus the moves that are on their way.
// A move is shown at once and sent until the server has it; `ply` makes repeats harmless.
import { type Api, ApiError, patiently } from './api';
import { type Link, Live, socketFor } from './live';
import { canPlay, positionAfter, type Side } from './rules';
import type { Game } from './types';

export interface Sent {
  column: number;
  ply: number;
}

export interface SessionState {
  game: Game | null;
  pending: readonly Sent[]; // our moves that are not yet confirmed; two at one screen may be quick
  link: Link;
  problem: string | null;
  gone: boolean;
}

/// The moves to show: the server's, and ours on the way.
export function shownMoves(state: SessionState): string {
  return state.pending.reduce(
    (moves, { column, ply }) => (ply === moves.length ? moves + column : moves),
    state.game?.moves ?? '',
  );
}

/// The side that may move on this screen now, if any.
export function mayMove(state: SessionState): Side | null {
  const game = presentGame(state);
  if (!game?.turn || game.thinking) return null;
  return game.you === 'both' || game.you === game.turn ? game.turn : null;
}

/// The game as it will be once the server has our moves.
export function presentGame(state: SessionState): Game | null {
  const { game } = state;
  const moves = shownMoves(state);
  const position = positionAfter(moves);
  if (!game || !position || moves === game.moves) return game;
  const { turn, result, winning } = position;
  const reason = result === null ? null : result === 'draw' ? 'board_full' : 'four_in_a_row';
  const thinking = turn !== null && game.kind === 'human-agent';
  return { ...game, moves, turn, result, winning, reason, thinking };
}

export class GameSession {
  private state: SessionState = {
    game: null,
    pending: [],
    link: 'connecting',
    problem: null,
    gone: false,
  };
  private readonly live: Live<Game>;
  private closed = false;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    readonly token: string,
    private readonly api: Api,
    private readonly onChange: (state: SessionState) => void,
    openSocket: (token: string) => WebSocket = socketFor,
  ) {
    this.live = new Live({
      type: 'game',
      onNews: (game, fresh) => this.accept(game, fresh),
      onLink: (link) => this.update({ link }),
      onGone: () => this.update({ gone: true }),
      ask: () => api.game(token),
      openSocket: () => openSocket(token),
    });
  }

  get now(): SessionState {
    return this.state;
  }

  open(known?: Game): void {
    if (known) this.accept(known, true);
    this.live.start();
  }

  close(): void {
    this.closed = true;
    this.live.stop();
  }

  hurry(): void {
    this.live.hurry();
  }

  async play(column: number): Promise<void> {
    const position = positionAfter(shownMoves(this.state));
    if (!position || !mayMove(this.state) || !canPlay(position, column)) return;
    const move = { column, ply: position.moves.length };
    this.update({ pending: [...this.state.pending, move], problem: null });
    this.sending = this.sending.then(() => this.send(move));
    await this.sending;
  }

  undo(): Promise<void> {
    return this.act(() => this.api.undo(this.token));
  }

  resign(): Promise<void> {
    return this.act(() => this.api.resign(this.token));
  }

  private async send(move: Sent): Promise<void> {
    if (!this.state.pending.includes(move)) return; // it built on a move that was refused
    await this.act(() => this.api.move(this.token, move.column, move.ply));
    this.update({ pending: this.state.pending.filter((other) => other !== move) });
  }

  private async act(request: () => Promise<Game>): Promise<void> {
    const attempt = () =>
      request().catch((error: unknown) => {
        const away = error instanceof ApiError && error.passing;
        if (away) this.update({ problem: error.message });
        throw error;
      });
    try {
      const game = await patiently(attempt, () => !this.closed);
      this.accept(game, false);
      this.update({ problem: null });
    } catch (error) {
      if (this.closed) return;
      this.update({ pending: [], problem: (error as Error).message });
      // Whatever we believed about the game was wrong: ask.
      await this.api
        .game(this.token)
        .then((game) => this.accept(game, true))
        .catch(() => {});
    }
  }

  private accept(game: Game, fresh: boolean): void {
    const before = this.state.game;
    // News can overtake each other; but a server that came back may count versions anew.
    if (before && !fresh && game.version < before.version) return;
    // Only its creator is told the guest's token, and only once.
    const guest = game.guest ?? before?.guest ?? null;
    this.update({ game: { ...game, guest } });
  }

  private update(change: Partial<SessionState>): void {
    if (this.closed) return;
    this.state = { ...this.state, ...change };
    this.onChange(this.state);
  }
}
