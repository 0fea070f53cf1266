// The line above the board: whose turn, how it ended, and whether the server is heard.
import type { SessionState } from '../session';
import type { Game } from '../types';
import { statusOf } from '../words';
import { Chip } from './Disc';

interface Props {
  game: Game | null;
  fresh: boolean; // no game yet: the board waits for the first disc
  human: 'first' | 'second';
  state: SessionState;
  looking: boolean;
}

export function Status({ game, fresh, human, state, looking }: Props) {
  const side = game ? (game.result === 'draw' ? null : (game.result ?? game.turn)) : null;
  return (
    <div class="status">
      <p class={game?.result ? 'said over' : 'said'}>
        {side && <Chip side={side} />}
        {fresh && human === 'first' && <Chip side="first" />}
        <span>{text()}</span>
        {game?.thinking && <span class="dots" aria-hidden="true" />}
      </p>
      {game && (state.link === 'lost' || state.problem) && (
        <p class="trouble" role="alert">
          {state.link === 'lost'
            ? 'Connection lost. Your game is safe; trying again.'
            : state.problem}
        </p>
      )}
      {!game && state.problem && (
        <p class="trouble" role="alert">
          {state.problem}
        </p>
      )}
    </div>
  );

  function text(): string {
    if (looking) return 'Looking back';
    if (game) return statusOf(game);
    if (!fresh) return state.link === 'lost' ? 'The server is away' : 'One moment';
    return human === 'first' ? 'Your turn: drop a disc' : 'Press start: Rowbot begins';
  }
}
