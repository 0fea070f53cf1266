// The position editor's one hard question: which order of moves leads to these discs?
import { COLUMNS, linesThrough, moverAt, ROWS, type Side, type Stacks } from './rules';

export const emptyStacks = (): Side[][] => Array.from({ length: COLUMNS }, () => []);

export function withDisc(stacks: Stacks, column: number, side: Side): Stacks {
  return stacks.map((stack, c) =>
    c === column - 1 && stack.length < ROWS ? [...stack, side] : stack,
  );
}

export function withoutTop(stacks: Stacks, column: number): Stacks {
  return stacks.map((stack, c) => (c === column - 1 ? stack.slice(0, -1) : stack));
}

export type Order = { moves: string } | { problem: string };

/// A legal game that ends in `stacks`. Depth first over how many discs of each column are down;
/// a set of heights that led nowhere is not tried twice, so there are at most 7^7 of them.
export function orderOf(stacks: Stacks): Order {
  const total = stacks.reduce((sum, stack) => sum + stack.length, 0);
  const reds = stacks.reduce((sum, stack) => sum + stack.filter((s) => s === 'first').length, 0);
  const surplus = reds - (total - reds);
  if (surplus > 1) return { problem: missing('yellow', surplus - 1) };
  if (surplus < 0) return { problem: missing('red', -surplus) };

  const played = emptyStacks();
  const moves: number[] = [];
  const deadEnds = new Set<number>();
  const heights = () => played.reduce((key, stack) => key * (ROWS + 1) + stack.length, 0);

  const search = (): boolean => {
    if (moves.length === total) return true;
    const key = heights();
    if (deadEnds.has(key)) return false;
    const side = moverAt(moves.length);
    for (let column = 1; column <= COLUMNS; ++column) {
      const stack = played[column - 1]!;
      if (stacks[column - 1]![stack.length] !== side) continue;
      stack.push(side);
      moves.push(column);
      const over = linesThrough(played, column).length > 0;
      if ((!over || moves.length === total) && search()) return true;
      stack.pop();
      moves.pop();
    }
    deadEnds.add(key);
    return false;
  };
  if (search()) return { moves: moves.join('') };
  return { problem: 'No game leads here: with turns taken in order, these discs cannot lie so.' };
}

function missing(colour: string, count: number): string {
  const discs = count === 1 ? `one more ${colour} disc` : `${count} more ${colour} discs`;
  return `Red begins and turns alternate: add ${discs}.`;
}
