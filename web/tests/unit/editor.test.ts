import { describe, expect, it } from 'vitest';
import { emptyStacks, orderOf, withDisc, withoutTop } from '../../src/editor';
import { positionAfter, type Stacks } from '../../src/rules';

/// Small and seeded: the same games each time.
function generator(seed: number) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

function randomGame(random: () => number, plies: number): string {
  let moves = '';
  while (moves.length < plies && positionAfter(moves)!.turn) {
    const next = moves + (1 + Math.floor(random() * 7));
    if (positionAfter(next)) moves = next;
  }
  return moves;
}

describe('the editor', () => {
  it('finds for the discs of any game an order that leads to the same discs', () => {
    const random = generator(7);
    for (let game = 0; game < 200; ++game) {
      const { stacks } = positionAfter(randomGame(random, game % 43))!;
      const order = orderOf(stacks);
      expect('moves' in order && positionAfter(order.moves)?.stacks).toEqual(stacks);
    }
  });

  it('says which disc is missing', () => {
    const oneYellow = withDisc(emptyStacks(), 4, 'second');
    expect(orderOf(oneYellow)).toEqual({ problem: expect.stringContaining('one more red disc') });
    let threeRed: Stacks = emptyStacks();
    for (const column of [1, 2, 3]) threeRed = withDisc(threeRed, column, 'first');
    expect(orderOf(threeRed)).toEqual({ problem: expect.stringContaining('2 more yellow discs') });
  });

  it('refuses discs that no order of turns gives', () => {
    // Red lies only on yellow: nobody could have begun.
    const impossible: Stacks = [['second', 'first'], [], [], [], [], [], []];
    expect(orderOf(impossible)).toHaveProperty('problem');
  });

  it('refuses two winners', () => {
    const both: Stacks = [
      ['first', 'first', 'first', 'first'],
      ['second', 'second', 'second', 'second'],
      [],
      [],
      [],
      [],
      [],
    ];
    expect(orderOf(both)).toHaveProperty('problem');
  });

  it('takes back what it added, and never overfills', () => {
    let stacks: Stacks = emptyStacks();
    for (let disc = 0; disc < 8; ++disc) stacks = withDisc(stacks, 3, 'first');
    expect(stacks[2]).toHaveLength(6);
    expect(withoutTop(withDisc(emptyStacks(), 3, 'first'), 3)).toEqual(emptyStacks());
    expect(withoutTop(emptyStacks(), 3)).toEqual(emptyStacks());
  });
});
