import { useSettings } from '../settings';
import type { NewGame } from '../types';
import { NewGameForm, OtherGames } from './NewGameForm';

interface Props {
  human: 'first' | 'second';
  setHuman: (human: 'first' | 'second') => void;
  start: (wish: NewGame) => Promise<void>;
}

export function LobbyPanel({ human, setHuman, start }: Props) {
  const { lastGame } = useSettings();
  return (
    <aside class="panel" aria-label="New game">
      {lastGame && (
        <p class="notice">
          You have an unfinished game. <a href={`/g/${lastGame}`}>Go on with it</a>
        </p>
      )}
      <NewGameForm human={human} setHuman={setHuman} start={start} startLabel="Start" />
      <OtherGames start={start} />
      <p class="quiet keys">
        Keys: <kbd>1</kbd> to <kbd>7</kbd> drop a disc; <kbd>←</kbd> <kbd>→</kbd> choose a column,{' '}
        <kbd>Enter</kbd> drops.
      </p>
    </aside>
  );
}
