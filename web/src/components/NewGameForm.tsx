// The choices of a new game: against whom, who begins, or another kind of game.
import { useEffect, useState } from 'preact/hooks';
import { api, patiently } from '../api';
import { change, useSettings } from '../settings';
import type { Level, NewGame } from '../types';
import { Chip } from './Disc';

/// Shown until the server's own list is there, so that nothing jumps.
const USUAL: Level[] = [
  { name: 'beginner-1', title: 'First steps', help: '', minimum_ms: 0 },
  { name: 'beginner-2', title: 'Learner', help: '', minimum_ms: 0 },
  { name: 'beginner-3', title: 'Casual', help: '', minimum_ms: 0 },
  { name: 'easy', title: 'Easy', help: '', minimum_ms: 15 },
  { name: 'moderate', title: 'Moderate', help: '', minimum_ms: 60 },
  { name: 'hard', title: 'Hard', help: '', minimum_ms: 1500 },
  { name: 'perfect', title: 'Perfect', help: '', minimum_ms: 0 },
];

/// Agents to watch besides the levels, as the roster writes them.
const AGENTS = [
  ['random', 'Random'],
  ['forward', 'One move ahead'],
  ['rhodes', 'Rhodes, 1993'],
  ['minimax', 'Minimax'],
  ['expectimax', 'Expectimax'],
  ['mcs', 'Monte Carlo search'],
] as const;

let known: Level[] | null = null;

export function useLevels(): Level[] {
  const [levels, setLevels] = useState(known ?? USUAL);
  useEffect(() => {
    let here = true;
    if (!known) {
      patiently(api.levels, () => here).then(
        (list) => {
          known = list;
          if (here) setLevels(list);
        },
        () => {},
      );
    }
    return () => {
      here = false;
    };
  }, []);
  return levels;
}

interface Props {
  human: 'first' | 'second';
  setHuman: (human: 'first' | 'second') => void;
  start: (wish: NewGame) => void;
  startLabel: string;
}

export function NewGameForm({ human, setHuman, start, startLabel }: Props) {
  const levels = useLevels();
  const { level } = useSettings();
  const chosen = levels.find((l) => l.name === level);
  return (
    <div class="new-game">
      <fieldset class="ladder">
        <legend>Opponent</legend>
        {levels.map((l, rung) => (
          <label key={l.name} class={`rung rung-${rung + 1}`}>
            <input
              type="radio"
              name="level"
              value={l.name}
              checked={l.name === level}
              onChange={() => change({ level: l.name })}
            />
            <span>{l.title}</span>
          </label>
        ))}
      </fieldset>
      <p class="quiet help">{chosen?.help || ' '}</p>
      <fieldset class="sides">
        <legend>You play</legend>
        {(['first', 'second'] as const).map((side) => (
          <label key={side}>
            <input
              type="radio"
              name="side"
              value={side}
              checked={human === side}
              onChange={() => setHuman(side)}
            />
            <span>
              <Chip side={side} />
              {side === 'first' ? 'Red, first' : 'Yellow, second'}
            </span>
          </label>
        ))}
      </fieldset>
      <button type="button" class="primary" onClick={() => start({ level, human })}>
        {startLabel}
      </button>
    </div>
  );
}

export function OtherGames({ start }: { start: (wish: NewGame) => void }) {
  const levels = useLevels();
  const [first, setFirst] = useState('easy');
  const [second, setSecond] = useState('moderate');
  const choice = (label: string, value: string, set: (value: string) => void) => (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        <optgroup label="Levels">
          {levels.map((l) => (
            <option key={l.name} value={l.name}>
              {l.title}
            </option>
          ))}
        </optgroup>
        <optgroup label="Agents of the papers">
          {AGENTS.map(([text, title]) => (
            <option key={text} value={text}>
              {title}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
  return (
    <section class="other-games" aria-labelledby="other-games">
      <h2 id="other-games">Other games</h2>
      <div class="buttons">
        <button type="button" onClick={() => start({ human: 'both' })}>
          Two people, one screen
        </button>
        <button type="button" onClick={() => start({ human: 'link' })}>
          A friend by link
        </button>
      </div>
      <div class="watch">
        {choice('Red', first, setFirst)}
        {choice('Yellow', second, setSecond)}
        <button type="button" onClick={() => start({ human: 'none', first, second })}>
          Watch
        </button>
      </div>
    </section>
  );
}
