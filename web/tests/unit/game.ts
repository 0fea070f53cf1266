// Games as the server would describe them, for tests of what the page makes of them.
import { positionAfter } from '../../src/rules';
import type { Game } from '../../src/types';

export const TOKEN = '0123456789abcdef0123456789abcdef';

export function gameOf(moves: string, change: Partial<Game> = {}): Game {
  const position = positionAfter(moves)!;
  return {
    game: TOKEN,
    kind: 'human-agent',
    level: 'easy',
    first: { type: 'human', name: 'You' },
    second: { type: 'agent', name: 'Easy' },
    you: 'first',
    moves,
    turn: position.turn,
    thinking: false,
    result: position.result,
    reason: position.result ? 'four_in_a_row' : null,
    winning: position.winning,
    evidence: null,
    guest: null,
    can_undo: moves.length > 1,
    created: '2026-11-16T04:00:00Z',
    version: moves.length,
    ...change,
  };
}
