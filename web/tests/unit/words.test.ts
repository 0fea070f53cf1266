import { describe, expect, it } from 'vitest';
import { endOf, newsOf, scoreInWords, signed, statusOf, verdictOf } from '../../src/words';
import { gameOf } from './game';

describe('words', () => {
  it('tells a move and its answer', () => {
    expect(newsOf(gameOf('4453'), '44')).toBe('You: column 5. Rowbot: column 3.');
    expect(newsOf(gameOf('443', { you: 'second' }), '4')).toBe('You: column 4. Rowbot: column 3.');
  });

  it('tells the end with the move that made it', () => {
    expect(newsOf(gameOf('1212121'), '121212')).toBe(
      'You: column 1. You win: four in a row. The line: from column 1, row 1 to column 1, row 4.',
    );
  });

  it('tells when moves were taken back', () => {
    expect(newsOf(gameOf('44'), '4453')).toBe('Moves were taken back.');
  });

  it('names people at one screen by their colours, and friends as friends', () => {
    const both = gameOf('4', { kind: 'human-human', you: 'both' });
    expect(statusOf(both)).toBe('Yellow to move');
    const link = gameOf('4', { kind: 'human-human', you: 'first' });
    expect(statusOf(link)).toBe('Your friend’s turn');
    expect(newsOf(link, '')).toBe('You: column 4.');
  });

  it('says who resigned', () => {
    const game = gameOf('44', { result: 'second', reason: 'resigned', turn: null });
    expect(endOf(game)).toBe('Rowbot wins: you resigned');
  });

  it('writes scores with a sign and in words', () => {
    expect([3, 0, -3].map(signed)).toEqual(['+3', '0', '−3']);
    expect(scoreInWords(1, 0)).toBe('wins in 21 moves');
    expect(scoreInWords(18, 6)).toBe('wins in 1 move');
    expect(verdictOf(-1, 1)).toBe('Red wins in 20 moves');
    expect(verdictOf(2, 1)).toBe('Yellow wins in 20 moves');
    expect(scoreInWords(0, 7)).toBe('a draw with best play');
  });
});
