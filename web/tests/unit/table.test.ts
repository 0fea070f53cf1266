import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api';
import { between, DELAY_MS, Motion } from '../../src/table/motion';
import { TableSession, type TableState } from '../../src/table/session';
import type { Poses, Table } from '../../src/table/types';
import { farewell, happening, mayDrop, standing } from '../../src/table/words';
import { TOKEN } from './game';

const tableOf = (change: Partial<Table> = {}): Table => ({
  robot: 'eezybot',
  agent: 'forward',
  state: 'waiting',
  message: 'Your move.',
  request: 'play',
  game: 1,
  moves: '',
  human: 'first',
  turn: 'first',
  result: null,
  target: null,
  scene: 'a',
  camera: 1,
  visitor: false,
  waiting: 0,
  watchers: 1,
  seconds_left: null,
  place: null,
  ...change,
});

const STRAIGHT = [10_000, 0, 0, 0];
let clock = 0;
const posesOf = (x: number, pieces: number[][] = []): Poses => ({
  time: ++clock,
  bodies: [[x, 0, 0, ...STRAIGHT]],
  pieces,
});
const xAt = (motion: Motion, now: number) => motion.at(now)!.bodies[0]![0];

describe('motion', () => {
  it('shows poses a moment late and moves evenly between them', () => {
    const motion = new Motion();
    expect(motion.at(0)).toBeNull();
    motion.add(posesOf(0), 1000);
    motion.add(posesOf(100), 1050);
    expect(xAt(motion, 1000 + DELAY_MS)).toBe(0);
    expect(xAt(motion, 1025 + DELAY_MS)).toBeCloseTo(50);
    expect(xAt(motion, 1050 + DELAY_MS)).toBe(100);
  });

  it('stays at the last pose when none follows, and knows that nothing moves any more', () => {
    const motion = new Motion();
    motion.add(posesOf(0), 1000);
    motion.add(posesOf(100), 1050);
    expect(motion.moves(1050)).toBe(true);
    expect(motion.moves(1050 + DELAY_MS + 1)).toBe(false);
    expect(xAt(motion, 5000)).toBe(100);
  });

  it('does not glide over a pause in which nothing was sent', () => {
    const motion = new Motion();
    motion.add(posesOf(0), 1000);
    motion.add(posesOf(100), 9000);
    expect(xAt(motion, 8900 + DELAY_MS)).toBe(0);
    expect(xAt(motion, 9000 + DELAY_MS)).toBe(100);
  });

  it('takes poses once, however often they are repeated', () => {
    const motion = new Motion();
    const poses = posesOf(0);
    expect(motion.add(poses, 1000)).toBe(true);
    expect(motion.add(poses, 1500)).toBe(false);
    expect(motion.moves(1500)).toBe(false);
  });

  it('shows a new piece at once where it is, and none that is in the store', () => {
    const motion = new Motion();
    motion.add(posesOf(0), 1000);
    motion.add(posesOf(0, [[21, 7, 8, 9, ...STRAIGHT]]), 1050);
    expect(motion.at(1000 + DELAY_MS)!.pieces.size).toBe(0);
    expect(motion.at(1040 + DELAY_MS)!.pieces.get(21)).toEqual([7, 8, 9, ...STRAIGHT]);
    motion.add(posesOf(0), 1100);
    expect(motion.at(1100 + DELAY_MS)!.pieces.size).toBe(0);
  });

  it('turns the short way round and keeps quaternions of length one', () => {
    const turned = [0, 0, 0, -7071, 0, 0, -7071];
    const half = between([0, 0, 0, ...STRAIGHT], turned, 0.5);
    expect(Math.hypot(...half.slice(3))).toBeCloseTo(10_000);
    expect(Math.abs(half[3]!)).toBeCloseTo(10_000 * Math.cos(Math.PI / 8), -1);
  });
});

describe('words', () => {
  it('say what happens, to the visitor and to those who watch', () => {
    expect(happening(tableOf())).toBe('The table is free');
    expect(happening(tableOf({ visitor: true }))).toBe('The visitor is to move');
    expect(happening(tableOf({ visitor: true, place: 0 }))).toBe('Your move: drop a disc');
    expect(happening(tableOf({ place: 0, moves: '44' }), 2)).toBe('Your disc falls');
    expect(happening(tableOf({ state: 'moving', target: 3 }))).toBe('The robot plays column 3');
    expect(happening(tableOf({ state: 'over', result: 'second' }))).toBe('The robot wins');
    expect(happening(tableOf({ state: 'over', result: 'first', place: 0 }))).toBe('You win');
    expect(happening(tableOf({ state: 'over', result: 'first' }))).toBe('The visitor wins');
    expect(happening(tableOf({ state: 'foul', message: 'Two discs.' }))).toBe('Two discs.');
    expect(happening(tableOf({ state: 'broken', message: 'no arm' }))).toMatch(
      /out of order: no arm/,
    );
  });

  it('say where one stands', () => {
    expect(standing(tableOf())).toBe('');
    expect(standing(tableOf({ place: 1 }))).toBe('You are next.');
    expect(standing(tableOf({ place: 3 }))).toBe('You are number 3 in the queue.');
    expect(standing(tableOf({ place: 0, seconds_left: 50 }))).toBe('You are at the table.');
    expect(standing(tableOf({ place: 0, seconds_left: 9 }))).toMatch(/9 s left/);
    expect(farewell(tableOf({ place: 0, state: 'over', result: 'draw' }))).toMatch(/Thank you/);
    expect(farewell(tableOf({ place: 2 }))).toMatch(/nothing was heard/);
  });

  it('let a disc be dropped once a turn, by the visitor at the table only', () => {
    expect(mayDrop(tableOf({ place: 0 }), null)).toBe(true);
    expect(mayDrop(tableOf({ place: 0 }), 0)).toBe(false);
    expect(mayDrop(tableOf({ place: 0, moves: '44' }), 0)).toBe(true);
    expect(mayDrop(tableOf({ place: 1 }), null)).toBe(false);
    expect(mayDrop(tableOf({ place: 0, request: 'nothing' }), null)).toBe(false);
  });
});

class FakeSocket {
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  closed = false;
  constructor(readonly path: string) {}
  close() {
    this.closed = true;
  }
  tell(table: Table, poses: Poses | null = null) {
    this.onmessage?.({ data: JSON.stringify({ type: 'table', data: { table, poses } }) });
  }
}

function open(stored: string | null = null) {
  const sockets: FakeSocket[] = [];
  const played: [string, number, number][] = [];
  const poses: Poses[] = [];
  let refuse: ApiError | null = null;
  let kept = stored;
  let state: TableState | null = null;
  const session = new TableSession(
    {
      table: async () => tableOf(),
      tableJoin: async () => ({ token: TOKEN, table: tableOf({ place: 0, visitor: true }) }),
      tablePlay: async (token, column, ply) => {
        if (refuse) throw refuse;
        played.push([token, column, ply]);
        return tableOf({ place: 0, visitor: true });
      },
      tableLeave: async () => tableOf(),
      tableOperate: async () => tableOf({ state: 'stopped' }),
    },
    { get: () => kept, set: (token) => (kept = token) },
    (next) => (state = next),
    (next) => poses.push(next),
    (path) => {
      sockets.push(new FakeSocket(path));
      return sockets.at(-1) as unknown as WebSocket;
    },
  );
  session.open();
  return {
    session,
    sockets,
    played,
    poses,
    kept: () => kept,
    state: () => state!,
    refuseWith: (error: ApiError) => (refuse = error),
  };
}

describe('a session at the table', () => {
  it('listens as a stranger, then as the visitor it became', async () => {
    const t = open();
    expect(t.sockets[0]!.path).toBe('/table/live');
    t.sockets[0]!.tell(tableOf(), posesOf(5));
    expect(t.poses).toHaveLength(1);
    await t.session.join();
    expect(t.sockets[0]!.closed).toBe(true);
    expect(t.sockets[1]!.path).toBe(`/table/live?token=${TOKEN}`);
    expect(t.kept()).toBe(TOKEN);
    expect(t.state().table!.place).toBe(0);
  });

  it('sends a move once, however often one clicks', async () => {
    const t = open();
    await t.session.join();
    await Promise.all([t.session.play(4), t.session.play(5)]);
    expect(t.played).toEqual([[TOKEN, 4, 0]]);
    t.sockets.at(-1)!.tell(tableOf({ place: 0, moves: '43' }));
    expect(t.state().sent).toBeNull();
    await t.session.play(5);
    expect(t.played.at(-1)).toEqual([TOKEN, 5, 2]);
  });

  it('lets one try again after a refusal, and says why', async () => {
    const t = open();
    await t.session.join();
    t.refuseWith(new ApiError(409, 'not_your_turn', 'It is not your turn.'));
    await t.session.play(4);
    expect(t.state()).toMatchObject({ sent: null, problem: 'It is not your turn.' });
  });

  it('says farewell when the seat is lost, but not about a seat of long ago', async () => {
    const t = open();
    await t.session.join();
    t.sockets.at(-1)!.tell(tableOf({ place: null }));
    expect(t.state().notice).toMatch(/given to the next/);
    expect(t.kept()).toBeNull();

    const old = open(TOKEN);
    expect(old.sockets[0]!.path).toContain(TOKEN);
    old.sockets[0]!.tell(tableOf({ place: null }));
    expect(old.state().notice).toBeNull();
    expect(old.kept()).toBeNull();
  });
});
