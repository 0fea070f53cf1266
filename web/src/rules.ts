// The rules, as far as the page needs them to draw: the server alone decides what counts.
// A cell is [column 1-7, row 1-6 from the bottom]; a game is its columns as played: "4453".

export const COLUMNS = 7;
export const ROWS = 6;
export const CELLS = COLUMNS * ROWS;

export type Side = 'first' | 'second';
export type Cell = [column: number, row: number];

/// What stands on the board: for each column its discs from the bottom up.
export type Stacks = readonly (readonly Side[])[];

export interface Position {
  moves: string;
  stacks: Stacks;
  turn: Side | null; // null once the game is over
  result: Side | 'draw' | null;
  winning: Cell[];
}

export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');
export const moverAt = (ply: number): Side => (ply % 2 === 0 ? 'first' : 'second');

const DIRECTIONS: Cell[] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];

/// Every cell of every line of four or more through the top disc of `column`.
export function linesThrough(stacks: Stacks, column: number): Cell[] {
  const at = ([c, r]: Cell) => stacks[c - 1]?.[r - 1];
  const row = stacks[column - 1]?.length ?? 0;
  const side = at([column, row]);
  if (!side) return [];
  const closed: Cell[] = [];
  for (const [dc, dr] of DIRECTIONS) {
    const line: Cell[] = [[column, row]];
    for (const sign of [1, -1]) {
      let next: Cell = [column + sign * dc, row + sign * dr];
      while (at(next) === side) {
        line.push(next);
        next = [next[0] + sign * dc, next[1] + sign * dr];
      }
    }
    if (line.length >= 4) closed.push(...line);
  }
  const seen = new Set<string>();
  return closed.filter((cell) => !seen.has(cell.join()) && seen.add(cell.join()));
}

/// The position after `moves`, or null if they are not a legal game.
export function positionAfter(moves: string): Position | null {
  const stacks: Side[][] = Array.from({ length: COLUMNS }, () => []);
  let winning: Cell[] = [];
  for (let ply = 0; ply < moves.length; ++ply) {
    const column = Number(moves[ply]);
    const stack = stacks[column - 1];
    if (!stack || stack.length >= ROWS || winning.length > 0) return null;
    stack.push(moverAt(ply));
    winning = linesThrough(stacks, column);
  }
  const full = moves.length === CELLS;
  const result = winning.length > 0 ? moverAt(moves.length - 1) : full ? 'draw' : null;
  return { moves, stacks, turn: result ? null : moverAt(moves.length), result, winning };
}

/// Where the last disc of a game lies; null before the first.
export function lastOf(moves: string): Cell | null {
  const column = moves[moves.length - 1];
  return column ? [Number(column), moves.split(column).length - 1] : null;
}

/// Why `moves` are not a game, and how many of them are.
export function faultOf(moves: string): { legal: number; why: string } | null {
  const legal = [...moves].findIndex((_, ply) => !positionAfter(moves.slice(0, ply + 1)));
  if (legal < 0) return null;
  const column = moves[legal]!;
  const before = positionAfter(moves.slice(0, legal))!;
  const why = !/[1-7]/.test(column)
    ? `${JSON.stringify(column)} is not a column from 1 to 7`
    : before.turn === null
      ? 'the game was over before it'
      : `column ${column} was full`;
  return { legal, why: `Move ${legal + 1} is not possible: ${why}.` };
}

export function canPlay(position: Position, column: number): boolean {
  const stack = position.stacks[column - 1];
  return position.turn !== null && stack !== undefined && stack.length < ROWS;
}

/// Discs of the winner's own until the end; `score` is the mover's, with `discs` on the board.
/// A score of 1 wins with the side's last disc (its 21st), 2 with the one before, and so on.
export function movesToEnd(score: number, discs: number): number {
  const winnersDiscs = score > 0 ? Math.floor(discs / 2) : Math.ceil(discs / 2);
  return 22 - Math.abs(score) - winnersDiscs;
}
