// What the page says about a match, for eyes and for the live region.
import { grouped, percent, signed } from '../words';
import type { LabAgent, LastGame, Match, MatchResult } from './types';

export const isOver = (match: Match): boolean =>
  match.state !== 'waiting' && match.state !== 'playing';

/// The list's title, or the text itself.
export const titleOf = (agents: LabAgent[], text: string): string =>
  agents.find((agent) => agent.text === text)?.title ?? text;

export function stateOf(match: Match): string {
  const { games } = match.result;
  const count = `${games} of ${match.games} games`;
  switch (match.state) {
    case 'waiting':
      return match.ahead === 1
        ? 'Waiting for one other match to end'
        : match.ahead > 1
          ? `Waiting for ${match.ahead} other matches to end`
          : 'About to begin';
    case 'playing':
      return `${count} played`;
    case 'finished':
      return match.games === 1 ? 'The game is played' : `All ${match.games} games are played`;
    case 'stopped':
      return `Stopped after ${count}`;
    case 'out_of_time':
      return `The time was up after ${count}`;
    case 'failed':
      return `The match broke down: ${match.problem ?? 'nobody knows why'}`;
  }
}

/// '+35 ± 48'. When everything was won or lost the truth lies beyond what can be told.
export function eloOf(result: MatchResult): string {
  if (result.games === 0) return '–';
  const points = result.a_wins + result.draws / 2;
  const bound = points === result.games ? 'at least ' : points === 0 ? 'at most ' : '';
  return `${bound}${signed(Math.round(result.elo))} ± ${Math.round(result.elo_error)}`;
}

/// For ears: the beginning, each quarter and the end; empty when there is nothing new to tell.
export function newsOf(match: Match, before: Match | null): string {
  const quarter = (m: Match) => Math.floor((4 * m.result.games) / m.games);
  const same =
    before?.match === match.match &&
    before.state === match.state &&
    quarter(before) === quarter(match);
  if (same) return '';
  const { a_wins, draws, b_wins, games } = match.result;
  if (games === 0) return `${stateOf(match)}.`;
  const score = percent(match.result.a_score);
  return `${stateOf(match)}. A won ${a_wins}, drawn ${draws}, B won ${b_wins}. Score of A ${score}.`;
}

/// 'Game 12: B moved first and won with move 23.'
export function lastGameOf(game: LastGame): string {
  const first = game.first.toUpperCase();
  const moves = game.moves.length;
  if (game.winner === 'draw') return `Game ${game.number}: ${first} moved first; a draw.`;
  const winner = game.winner.toUpperCase();
  const end = game.note === '' ? ` with move ${moves}` : ` because the other failed: ${game.note}`;
  const who = winner === first ? 'and won' : `and ${winner} won`;
  return `Game ${game.number}: ${first} moved first ${who}${end}.`;
}

const quoted = (text: string): string =>
  /^[\w:=,.+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/// The same games on anybody's own machine.
export function commandOf(match: Match): string {
  const { a, b } = match.result;
  const openings = match.openings > 0 ? ` --openings ${match.openings}` : '';
  const agents = `${quoted(a)} ${quoted(b)}`;
  return `rowbot match ${agents} --games ${match.games} --seed ${match.seed}${openings}`;
}

/// A measured value as the tables show it: as many digits as tell something.
export function valueText(y: number): string {
  const size = Math.abs(y);
  if (size >= 1000) return `${y < 0 ? '−' : ''}${grouped(size)}`;
  return y.toFixed(size >= 100 || Number.isInteger(y) ? 0 : 1).replace('-', '−');
}
