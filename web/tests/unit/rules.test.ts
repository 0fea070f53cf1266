import { describe, expect, it } from 'vitest';
import { canPlay, faultOf, lastOf, movesToEnd, positionAfter } from '../../src/rules';

describe('rules', () => {
  it('begins with the first player on an empty board', () => {
    expect(positionAfter('')).toMatchObject({ turn: 'first', result: null, winning: [] });
  });

  it.each([
    ['a column', '1212121', 'first', 4],
    ['a row', '1122334', 'first', 4],
    ['a rising diagonal', '12234334464', 'first', 4],
    ['a falling diagonal', '76654554424', 'first', 4],
    ['five in a row', '112244553', 'first', 5],
    ['the second player', '71212121', 'second', 4],
  ])('sees %s', (_, moves, result, cells) => {
    const position = positionAfter(moves)!;
    expect(position.result).toBe(result);
    expect(position.winning).toHaveLength(cells);
  });

  it('mirrors: a game and its mirror image end alike', () => {
    for (const moves of ['1212121', '12234334464', '112244553', '4453']) {
      const mirrored = [...moves].map((c) => 8 - Number(c)).join('');
      expect(positionAfter(mirrored)!.result).toBe(positionAfter(moves)!.result);
    }
  });

  it('refuses a full column, a move after the end and what is no column', () => {
    for (const moves of ['4444444', '12121213', '0', '8', 'x', '4 4', '-1']) {
      expect(positionAfter(moves)).toBeNull();
    }
  });

  it('lets nothing be played in a full column or a finished game', () => {
    expect(canPlay(positionAfter('444444')!, 4)).toBe(false);
    expect(canPlay(positionAfter('444444')!, 5)).toBe(true);
    expect(canPlay(positionAfter('1212121')!, 5)).toBe(false);
    expect(canPlay(positionAfter('')!, 8)).toBe(false);
  });

  it('counts the moves to the end as the solver does', () => {
    expect(movesToEnd(1, 0)).toBe(21); // the first player's last disc
    expect(movesToEnd(18, 6)).toBe(1); // 1212 12: the winning disc is the fourth
    expect(movesToEnd(-18, 7)).toBe(0); // and has fallen
    expect(movesToEnd(-1, 1)).toBe(20); // after one disc of 21
  });

  it('knows where the last disc lies', () => {
    expect(lastOf('')).toBeNull();
    expect(lastOf('4453')).toEqual([3, 1]);
    expect(lastOf('44544')).toEqual([4, 4]);
  });

  it('says which move is not possible, and why', () => {
    expect(faultOf('4453')).toBeNull();
    expect(faultOf('4444444')).toEqual({
      legal: 6,
      why: 'Move 7 is not possible: column 4 was full.',
    });
    expect(faultOf('12121213')?.why).toContain('the game was over before it');
    expect(faultOf('44x')?.why).toContain('"x" is not a column from 1 to 7');
  });
});
