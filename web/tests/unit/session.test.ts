// The session against a server that answers late, twice, not at all, or from before.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, ApiError } from '../../src/api';
import {
  GameSession,
  mayMove,
  presentGame,
  type SessionState,
  shownMoves,
} from '../../src/session';
import type { Game } from '../../src/types';
import { gameOf, TOKEN } from './game';

class Socket {
  static all: Socket[] = [];
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor() {
    Socket.all.push(this);
  }
  asked = 0;
  close() {
    this.readyState = 3;
  }
  send() {
    ++this.asked;
  }
  tell(game: Game) {
    this.onmessage?.({ data: JSON.stringify({ type: 'game', data: game }) });
  }
  live() {
    this.onmessage?.({ data: '{"type":"alive"}' });
  }
  lose() {
    this.readyState = 3;
    this.onclose?.();
  }
}

const offline = () => Promise.reject(new ApiError(0, 'unreachable', 'away'));
let state: SessionState;
let session: GameSession;
const move = vi.fn<Api['move']>();
const fetchGame = vi.fn<Api['game']>();

beforeEach(() => {
  vi.useFakeTimers();
  Socket.all = [];
  move.mockReset();
  fetchGame.mockReset();
  const api = { move, game: fetchGame } as unknown as Api;
  session = new GameSession(
    TOKEN,
    api,
    (next) => (state = next),
    () => new Socket() as never,
  );
});
afterEach(() => {
  session.close();
  vi.useRealTimers();
});

const BOTH = { kind: 'human-human', you: 'both' } as const;
const socket = () => Socket.all[Socket.all.length - 1]!;

describe('a session', () => {
  it('shows our move at once and the answer when it comes', async () => {
    session.open(gameOf(''));
    move.mockResolvedValue(gameOf('43'));
    const done = session.play(4);
    expect(shownMoves(state)).toBe('4');
    expect(mayMove(state)).toBeNull();
    expect(presentGame(state)).toMatchObject({ turn: 'second', thinking: true });
    await done;
    expect(shownMoves(state)).toBe('43');
    expect(mayMove(state)).toBe('first');
    expect(move).toHaveBeenCalledWith(TOKEN, 4, 0);
  });

  it('shows a win at once, before the server has said so', () => {
    session.open(gameOf('121212'));
    move.mockReturnValue(new Promise(() => {}));
    void session.play(1);
    expect(presentGame(state)).toMatchObject({ turn: null, result: 'first', thinking: false });
  });

  it('sends a move again, with the same ply, until the server has it', async () => {
    session.open(gameOf('44'));
    move
      .mockImplementationOnce(offline)
      .mockImplementationOnce(offline)
      .mockResolvedValue(gameOf('4453'));
    const done = session.play(5);
    await vi.advanceTimersByTimeAsync(5000);
    await done;
    expect(move.mock.calls).toEqual([
      [TOKEN, 5, 2],
      [TOKEN, 5, 2],
      [TOKEN, 5, 2],
    ]);
    expect(state.problem).toBeNull();
    expect(shownMoves(state)).toBe('4453');
  });

  it('takes a refused move back and shows the reason and the true game', async () => {
    session.open(gameOf(''));
    move.mockRejectedValue(new ApiError(409, 'stale', 'The game has moved on.'));
    fetchGame.mockResolvedValue(gameOf('12', { version: 9 }));
    await session.play(4);
    expect(state.problem).toBe('The game has moved on.');
    expect(shownMoves(state)).toBe('12');
  });

  it('does not play out of turn, in a full column or twice', async () => {
    session.open(gameOf('4'));
    await session.play(1);
    session.open(gameOf('444444'));
    await session.play(4);
    expect(move).not.toHaveBeenCalled();
    move.mockReturnValue(new Promise(() => {}));
    void session.play(1);
    void session.play(2);
    await vi.advanceTimersByTimeAsync(0);
    expect(move).toHaveBeenCalledTimes(1);
  });

  it('keeps the moves of two quick people at one screen in their order', async () => {
    const arrive: ((game: Game) => void)[] = [];
    session.open(gameOf('', BOTH));
    move.mockImplementation(() => new Promise((resolve) => arrive.push(resolve)));
    const first = session.play(4);
    expect(mayMove(state)).toBe('second');
    const second = session.play(3);
    expect(shownMoves(state)).toBe('43');
    await vi.advanceTimersByTimeAsync(0);
    expect(move.mock.calls).toEqual([[TOKEN, 4, 0]]);
    arrive[0]!(gameOf('4', BOTH));
    await first;
    expect(shownMoves(state)).toBe('43');
    await vi.advanceTimersByTimeAsync(0);
    arrive[1]!(gameOf('43', BOTH));
    await second;
    expect(move.mock.calls).toEqual([
      [TOKEN, 4, 0],
      [TOKEN, 3, 1],
    ]);
    expect(state.pending).toEqual([]);
  });

  it('forgets what was played after a refused move', async () => {
    session.open(gameOf('', BOTH));
    move.mockRejectedValueOnce(new ApiError(409, 'stale', 'The game has moved on.'));
    fetchGame.mockResolvedValue(gameOf('7', { ...BOTH, version: 9 }));
    void session.play(4);
    await session.play(3);
    expect(move).toHaveBeenCalledTimes(1);
    expect(shownMoves(state)).toBe('7');
    expect(state.problem).toBe('The game has moved on.');
  });

  it('ignores news that were overtaken', () => {
    session.open(gameOf(''));
    socket().tell(gameOf(''));
    socket().tell(gameOf('4453'));
    socket().tell(gameOf('44'));
    expect(shownMoves(state)).toBe('4453');
  });

  it('asks and connects again after a loss, and believes a restarted server', async () => {
    session.open(gameOf('4453', { version: 70 }));
    socket().tell(gameOf('4453', { version: 70 }));
    expect(state.link).toBe('live');
    fetchGame.mockImplementation(offline);
    socket().lose();
    await vi.advanceTimersByTimeAsync(1);
    expect(state.link).toBe('lost');
    await vi.advanceTimersByTimeAsync(1000);
    expect(Socket.all).toHaveLength(2);
    socket().tell(gameOf('44', { version: 1 }));
    expect(state.link).toBe('live');
    expect(shownMoves(state)).toBe('44');
  });

  it('lives on by asking where WebSockets do not pass', async () => {
    session.open(gameOf(''));
    for (const moves of ['4', '43', '435']) {
      fetchGame.mockResolvedValue(gameOf(moves));
      socket().lose();
      await vi.advanceTimersByTimeAsync(12_000);
      expect(state.link).toBe('polling');
      expect(shownMoves(state)).toBe(moves);
    }
  });

  it('says so when the server does not know the game', async () => {
    session.open();
    fetchGame.mockRejectedValue(new ApiError(404, 'unknown_game', 'no such game'));
    socket().lose();
    await vi.advanceTimersByTimeAsync(1);
    expect(state.gone).toBe(true);
  });

  it("keeps the guest's token, which is told only once", () => {
    session.open(gameOf('', { guest: 'f'.repeat(32) }));
    socket().tell(gameOf('4'));
    expect(state.game?.guest).toBe('f'.repeat(32));
  });

  it('keeps a quiet connection as long as the server answers', async () => {
    session.open(gameOf('44'));
    for (let i = 0; i < 20; ++i) {
      await vi.advanceTimersByTimeAsync(2000);
      socket().live();
    }
    expect(Socket.all).toHaveLength(1);
    expect(socket().asked).toBe(20);
  });

  it('notices within eight seconds that a connection has silently died', async () => {
    session.open(gameOf('44'));
    socket().tell(gameOf('44'));
    fetchGame.mockReturnValue(new Promise(() => {})); // swallowed as well
    await vi.advanceTimersByTimeAsync(8000);
    expect(Socket.all[0]!.readyState).toBe(3);
    expect(state.link).toBe('lost');
    fetchGame.mockResolvedValue(gameOf('443'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(Socket.all.length).toBeGreaterThan(1);
  });
});
