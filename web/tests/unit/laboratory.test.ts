import { describe, expect, it } from 'vitest';
import { labelled, placeOf, scaleOf } from '../../src/laboratory/scale';
import type { Chart, Match, Point } from '../../src/laboratory/types';
import {
  commandOf,
  eloOf,
  isOver,
  lastGameOf,
  newsOf,
  stateOf,
  titleOf,
  valueText,
} from '../../src/laboratory/words';
import { routeOf } from '../../src/router';

function matchWith(games: number, change: Partial<Match> = {}): Match {
  return {
    match: '0'.repeat(32),
    state: 'playing',
    ahead: 0,
    games: 20,
    seed: 7,
    openings: 0,
    milliseconds: 10,
    result: {
      a: 'random',
      b: 'forward',
      games,
      a_wins: 0,
      b_wins: games,
      draws: 0,
      a_score: 0,
      a_score_low: 0,
      a_score_high: 0.2,
      elo: -400,
      elo_error: 150,
    },
    last: null,
    problem: null,
    ...change,
  };
}

describe('a match in words', () => {
  it('says where it stands in every state', () => {
    expect(stateOf(matchWith(0, { state: 'waiting' }))).toBe('About to begin');
    expect(stateOf(matchWith(0, { state: 'waiting', ahead: 1 }))).toMatch(/one other match/);
    expect(stateOf(matchWith(0, { state: 'waiting', ahead: 3 }))).toMatch(/3 other matches/);
    expect(stateOf(matchWith(5))).toBe('5 of 20 games played');
    expect(stateOf(matchWith(20, { state: 'finished' }))).toBe('All 20 games are played');
    expect(stateOf(matchWith(5, { state: 'stopped' }))).toBe('Stopped after 5 of 20 games');
    expect(stateOf(matchWith(5, { state: 'out_of_time' }))).toMatch(/time was up after 5/);
    expect(stateOf(matchWith(5, { state: 'failed', problem: 'no room' }))).toMatch(/no room/);
  });

  it('is over in all states but two', () => {
    expect(isOver(matchWith(3))).toBe(false);
    expect(isOver(matchWith(0, { state: 'waiting' }))).toBe(false);
    for (const state of ['finished', 'stopped', 'out_of_time', 'failed'] as const) {
      expect(isOver(matchWith(3, { state }))).toBe(true);
    }
  });

  it('gives Elo with its error, and a bound where all was won or lost', () => {
    expect(eloOf(matchWith(0).result)).toBe('–');
    expect(eloOf(matchWith(8).result)).toBe('at most −400 ± 150');
    const { result } = matchWith(8);
    expect(eloOf({ ...result, a_wins: 8, b_wins: 0, elo: 381.6 })).toBe('at least +382 ± 150');
    expect(eloOf({ ...result, draws: 1, b_wins: 7, elo: -35.2 })).toBe('−35 ± 150');
  });

  it('tells ears the beginning, each quarter and the end, and nothing in between', () => {
    expect(newsOf(matchWith(0), null)).toBe('0 of 20 games played.');
    expect(newsOf(matchWith(4), matchWith(0))).toBe('');
    expect(newsOf(matchWith(5), matchWith(4))).toBe(
      '5 of 20 games played. A won 0, drawn 0, B won 5. Score of A 0.0 %.',
    );
    expect(newsOf(matchWith(6), matchWith(5))).toBe('');
    expect(newsOf(matchWith(6, { state: 'stopped' }), matchWith(6))).toMatch(/^Stopped after 6/);
    const another = matchWith(6, { match: '1'.repeat(32) });
    expect(newsOf(another, matchWith(6))).not.toBe('');
  });

  it('tells how the last game ended', () => {
    const game = { number: 3, moves: '1212121', first: 'a', winner: 'a', note: '' } as const;
    expect(lastGameOf(game)).toBe('Game 3: A moved first and won with move 7.');
    expect(lastGameOf({ ...game, winner: 'b' })).toBe(
      'Game 3: A moved first and B won with move 7.',
    );
    expect(lastGameOf({ ...game, first: 'b', winner: 'draw' })).toBe(
      'Game 3: B moved first; a draw.',
    );
    expect(lastGameOf({ ...game, note: 'too slow' })).toMatch(/the other failed: too slow/);
  });

  it('gives the command that plays the same games', () => {
    expect(commandOf(matchWith(5))).toBe('rowbot match random forward --games 20 --seed 7');
    const odd = matchWith(5, { openings: 2 });
    odd.result.a = "mcts:c=1.4;rm 'x'";
    expect(commandOf(odd)).toBe(
      `rowbot match 'mcts:c=1.4;rm '\\''x'\\''' forward --games 20 --seed 7 --openings 2`,
    );
  });

  it('calls agents by the title of the list', () => {
    const agents = [{ text: 'random', title: 'Random', help: '' }];
    expect(titleOf(agents, 'random')).toBe('Random');
    expect(titleOf(agents, 'mcts:c=2')).toBe('mcts:c=2');
  });

  it('writes values with as many digits as tell something', () => {
    expect(valueText(98.566)).toBe('98.6');
    expect(valueText(100)).toBe('100');
    expect(valueText(-35.26)).toBe('−35.3');
    expect(valueText(-1200.4)).toBe('−1\u202f200');
    expect(valueText(812.3)).toBe('812');
  });
});

describe('the scale of a chart', () => {
  const chart = (points: Partial<Point>[], change: Partial<Chart> = {}): Chart => ({
    title: '',
    x_title: '',
    y_title: '',
    kind: 'lines',
    series: [{ name: 's', points: points.map((p) => ({ label: '', y: 0, ...p })) }],
    ...change,
  });

  it('holds values, intervals and the paper’s numbers', () => {
    const scale = scaleOf(
      chart([
        { y: 10, low: -3, high: 12 },
        { y: 4, paper: 31 },
      ]),
    );
    expect(scale.low).toBeLessThanOrEqual(-3);
    expect(scale.high).toBeGreaterThanOrEqual(31);
    expect(scale.ticks[0]).toBe(scale.low);
    expect(scale.ticks.at(-1)).toBe(scale.high);
    expect(scale.ticks.length).toBeGreaterThanOrEqual(3);
    expect(scale.ticks.length).toBeLessThanOrEqual(9);
  });

  it('keeps the ends that the report names, and begins bars at nothing', () => {
    const named = scaleOf(chart([{ y: 40 }], { y_low: 0, y_high: 100 }));
    expect([named.low, named.high]).toEqual([0, 100]);
    expect(scaleOf(chart([{ y: 40 }, { y: 50 }], { kind: 'bars' })).low).toBe(0);
    expect(scaleOf(chart([{ y: 40 }, { y: 50 }])).low).toBeGreaterThan(30);
  });

  it('survives no points and equal ones', () => {
    expect(scaleOf(chart([])).ticks).toEqual([0, 1]);
    const flat = scaleOf(chart([{ y: 5 }, { y: 5 }]));
    expect(placeOf(flat, 5)).toBeGreaterThanOrEqual(0);
    expect(flat.high).toBeGreaterThan(flat.low);
  });

  it('draws what lies outside at the end', () => {
    const scale = { low: 0, high: 10, ticks: [] };
    expect(placeOf(scale, 5)).toBe(0.5);
    expect(placeOf(scale, -1)).toBe(0);
    expect(placeOf(scale, 99)).toBe(1);
  });

  it('leaves out labels for which there is no room', () => {
    const all = labelled(5, 10);
    expect([0, 1, 2, 3, 4].every(all)).toBe(true);
    expect([0, 1, 2, 3].filter(labelled(4, 2))).toEqual([0, 2]);
  });
});

describe('the address of a match', () => {
  it('is the laboratory with its key', () => {
    expect(routeOf('/lab')).toEqual({ page: 'laboratory', id: null });
    expect(routeOf(`/lab/${'0a'.repeat(16)}`)).toEqual({
      page: 'laboratory',
      id: '0a'.repeat(16),
    });
    expect(routeOf('/lab/x')).toEqual({ page: 'unknown' });
  });
});
