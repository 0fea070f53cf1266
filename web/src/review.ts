// Reading a review: scores as one curve, and the moves that cost something.
import { moverAt, type Side } from './rules';
import type { Game, Review, ReviewMove } from './types';
import { nameOf, scoreInWords, signed } from './words';

/// The first player's score after each move, whoever made it: one curve. It begins later than
/// move 1 when the game began from a set-up position.
export interface Curve {
  plies: number[];
  scores: number[];
}

export function curveOf(review: Review): Curve {
  return {
    plies: review.moves.map((move) => move.ply),
    scores: review.moves.map((move) =>
      moverAt(move.ply - 1) === 'first' ? move.score : 0 - move.score,
    ),
  };
}

export const moveAt = (review: Review, ply: number): ReviewMove | undefined =>
  review.moves.find((move) => move.ply === ply);

export type Kind = 'best' | 'slower' | 'mistake';

/// A mistake gives away the result; a slower move keeps it but not the quickest way.
export function kindOf(move: ReviewMove): Kind {
  if (Math.sign(move.score) !== Math.sign(move.best_score)) return 'mistake';
  return move.score === move.best_score ? 'best' : 'slower';
}

export function marksOf(review: Review): Map<number, string> {
  const marks = new Map<number, string>();
  for (const move of review.moves) if (kindOf(move) === 'mistake') marks.set(move.ply, 'mistake');
  return marks;
}

export interface Tally {
  moves: number;
  best: number;
  mistakes: number;
}

export function tallyOf(review: Review, side: Side): Tally {
  const own = review.moves.filter((move) => moverAt(move.ply - 1) === side);
  return {
    moves: own.length,
    best: own.filter((move) => kindOf(move) === 'best').length,
    mistakes: own.filter((move) => kindOf(move) === 'mistake').length,
  };
}

/// Where it was lost, what would have been best, and how long that would have lasted.
export function summaryOf(review: Review, game: Game): string {
  const turn = review.turning_point === null ? undefined : moveAt(review, review.turning_point);
  if (!turn) return 'Nobody gave the result away: it stood from the first move on.';
  const name = nameOf(game, moverAt(turn.ply - 1));
  const discs = turn.ply - 1;
  const played = `${name}: column ${turn.column}, which ${verb(turn.score, discs)}`;
  const best = `${list(turn.best)} ${verb(turn.best_score, discs)}`;
  return `Move ${turn.ply} decided it. ${played}; ${best}.`;
}

const list = (columns: number[]): string =>
  columns.length <= 1
    ? `column ${columns[0] ?? '?'}`
    : `columns ${columns.slice(0, -1).join(', ')} or ${columns[columns.length - 1]}`;

/// 'Column 3 loses in 5 moves (−9). Best was column 4: wins in 8 moves (+5).'
export function sentenceOf(move: ReviewMove): string {
  const discs = move.ply - 1;
  const played = `Column ${move.column} ${verb(move.score, discs)} (${signed(move.score)}).`;
  if (kindOf(move) === 'best') {
    const others = move.best.filter((column) => column !== move.column);
    return others.length > 0
      ? `${played} As good: ${list(others)}.`
      : `${played} The only best move.`;
  }
  const best = `${verb(move.best_score, discs)} (${signed(move.best_score)})`;
  return `${played} Best: ${list(move.best)}, which ${best}.`;
}

function verb(score: number, discs: number): string {
  return score === 0 ? 'leads to a draw' : scoreInWords(score, discs);
}
