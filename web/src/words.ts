// What the page says about a game, for eyes and for the live region.
import { type Cell, moverAt, movesToEnd, other, positionAfter, type Side } from './rules';
import type { Game } from './types';

export const colour = (side: Side): string => (side === 'first' ? 'Red' : 'Yellow');

/// How a side is called on this screen.
export function nameOf(game: Game, side: Side): string {
  if (game.kind === 'human-agent') return game.you === side ? 'You' : 'Rowbot';
  if (game.kind === 'agent-agent') return `${colour(side)} (${game[side].name})`;
  if (game.you === 'both') return colour(side);
  return game.you === side ? 'You' : 'Your friend';
}

/// 'You: column 4. Rowbot: column 3.' for the moves that are new since `before`.
export function newsOf(game: Game, before: string): string {
  if (!game.moves.startsWith(before)) return 'Moves were taken back.';
  const said: string[] = [];
  for (let ply = before.length; ply < game.moves.length; ++ply) {
    said.push(`${nameOf(game, moverAt(ply))}: column ${game.moves[ply]}.`);
  }
  if (game.turn === null) said.push(`${endOf(game)}.`, lineOf(positionAfter(game.moves)?.winning));
  return said.join(' ').trim();
}

/// Where the winning line runs, for those who do not see it; empty if there is none.
function lineOf(winning: Cell[] = []): string {
  const cells = [...winning].sort(([a, b], [c, d]) => a - c || b - d);
  const [from, to] = [cells[0], cells[cells.length - 1]];
  const cell = ([column, row]: Cell) => `column ${column}, row ${row}`;
  return from && to ? `The line: from ${cell(from)} to ${cell(to)}.` : '';
}

/// 'You win: four in a row' and the like; the game must be over.
export function endOf(game: Game): string {
  if (game.result === null) return 'This game was left unfinished';
  if (game.result === 'draw') return 'A draw: the board is full';
  const winner = game.result;
  const name = nameOf(game, winner);
  const verb = name === 'You' ? 'win' : 'wins';
  if (game.reason === 'resigned') {
    const loser = nameOf(game, other(winner));
    return `${name} ${verb}: ${loser === 'You' ? 'you' : loser} resigned`;
  }
  return `${name} ${verb}: ${(game.reason ?? 'four_in_a_row').replaceAll('_', ' ')}`;
}

/// One line above the board.
export function statusOf(game: Game): string {
  if (game.turn === null) return endOf(game);
  const name = nameOf(game, game.turn);
  if (game.thinking) return `${name} is thinking`;
  if (name === 'You') return 'Your turn';
  if (game.kind === 'human-agent') return 'Rowbot is thinking';
  return game.you === 'both' ? `${name} to move` : `${name}’s turn`;
}

export const signed = (score: number): string =>
  score > 0 ? `+${score}` : score < 0 ? `−${-score}` : '0';

const moves = (count: number): string => (count === 1 ? '1 move' : `${count} moves`);

/// A column's score for the side to move, with `discs` on the board.
export function scoreInWords(score: number, discs: number): string {
  if (score === 0) return 'a draw with best play';
  const count = movesToEnd(score, discs);
  return score > 0 ? `wins in ${moves(count)}` : `loses in ${moves(count)}`;
}

/// Until the exact value is there; without a large opening book that can take a while.
export const SOLVING = 'Solving the position';

/// 'Red wins in 12 moves', for a position with `discs` whose mover has `score`.
export function verdictOf(score: number, discs: number): string {
  if (score === 0) return 'A draw with best play';
  const mover = moverAt(discs);
  const winner = score > 0 ? mover : other(mover);
  return `${colour(winner)} wins in ${moves(movesToEnd(score, discs))}`;
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export const grouped = (n: number): string =>
  String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
