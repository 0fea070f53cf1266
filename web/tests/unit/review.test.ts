import { describe, expect, it } from 'vitest';
import { curveOf, kindOf, marksOf, sentenceOf, summaryOf, tallyOf } from '../../src/review';
import type { Review, ReviewMove } from '../../src/types';
import { gameOf } from './game';

const move = (ply: number, score: number, best_score: number, best: number[]): ReviewMove => ({
  ply,
  column: 3,
  score,
  best,
  best_score,
  kept: score === best_score,
  text: '',
});

const review: Review = {
  moves: [move(1, 0, 1, [4]), move(2, 0, 0, [3, 4]), move(3, 2, 5, [5]), move(4, -2, -2, [3])],
  turning_point: 1,
  summary: '',
};

describe('the review', () => {
  it('draws one curve for the first player', () => {
    expect(curveOf(review)).toEqual({ plies: [1, 2, 3, 4], scores: [0, 0, 2, 2] });
  });

  it('tells a mistake from a slower way and from the best', () => {
    expect(review.moves.map(kindOf)).toEqual(['mistake', 'best', 'slower', 'best']);
    expect([...marksOf(review).keys()]).toEqual([1]);
  });

  it('counts for each side', () => {
    expect(tallyOf(review, 'first')).toEqual({ moves: 2, best: 0, mistakes: 1 });
    expect(tallyOf(review, 'second')).toEqual({ moves: 2, best: 2, mistakes: 0 });
  });

  it('says where the game was decided', () => {
    expect(summaryOf(review, gameOf('3333'))).toBe(
      'Move 1 decided it. You: column 3, which leads to a draw; column 4 wins in 21 moves.',
    );
    expect(summaryOf({ ...review, turning_point: null }, gameOf('3333'))).toContain('Nobody');
  });

  it('says what was played, what was best and how long it would have lasted', () => {
    expect(sentenceOf(review.moves[0]!)).toBe(
      'Column 3 leads to a draw (0). Best: column 4, which wins in 21 moves (+1).',
    );
    expect(sentenceOf(review.moves[1]!)).toContain('As good: column 4.');
    expect(sentenceOf(review.moves[3]!)).toContain('The only best move.');
  });
});
