// Beside the board during a game: what can be done, what is shown, the moves, the agent's thoughts.
import type { Play } from '../play';
import { change, useSettings } from '../settings';
import type { Game } from '../types';
import { colour, nameOf } from '../words';
import { CopyLink } from './CopyLink';
import { MoveList } from './MoveList';
import { useLevels } from './NewGameForm';
import { Thoughts } from './Thoughts';
import { Toggle } from './Toggle';

interface Props {
  game: Game;
  play: Play;
  at: number;
  now: string;
  jump: (ply: number) => void;
}

export function GamePanel({ game, play, at, now, jump }: Props) {
  const wishes = useSettings();
  const levels = useLevels();
  const over = game.turn === null;
  const watching = game.you === 'none';
  const fair = game.kind === 'human-human' && game.you !== 'both' && !over;
  const guest = game.guest ?? wishes.guests[game.game];
  return (
    <aside class="panel" aria-label="Game">
      <h2>{heading()}</h2>
      {guest && !over && <CopyLink label="Send this link to your friend" path={`/g/${guest}`} />}
      <div class="buttons">
        {over ? (
          <button type="button" class="primary" onClick={play.restart}>
            Play again
          </button>
        ) : (
          <>
            {!watching && (
              <button
                type="button"
                disabled={!game.can_undo}
                onClick={() => void play.session?.undo()}
              >
                Undo
              </button>
            )}
            <button type="button" onClick={play.restart}>
              Restart
            </button>
            {!watching && (
              <button
                type="button"
                disabled={game.moves.length === 0}
                onClick={() => void play.session?.resign()}
              >
                Resign
              </button>
            )}
          </>
        )}
        {over && game.can_undo && (
          <button type="button" onClick={() => void play.session?.undo()}>
            Undo
          </button>
        )}
        {over && (
          <a class="button" href={`/review/${game.game}`}>
            Review
          </a>
        )}
        <a class="button" href="/">
          New game
        </a>
      </div>
      {over && !watching && (
        <p class="notice">
          How did it feel to play? <a href="/survey">Two questions</a>, ten seconds.
        </p>
      )}
      {!fair && (
        <div class="toggles">
          {!watching && (
            <Toggle label="Hints" on={wishes.hints} set={(hints) => change({ hints })} />
          )}
          <Toggle label="Scores" on={wishes.scores} set={(scores) => change({ scores })} />
          {game.kind !== 'human-human' && (
            <Toggle
              label="Thoughts"
              on={wishes.thoughts}
              set={(thoughts) => change({ thoughts })}
            />
          )}
        </div>
      )}
      {!fair && wishes.scores && (
        <p class="quiet">
          A column’s score is exact: + wins, − loses, 0 is a draw. The bigger, the sooner.
        </p>
      )}
      {wishes.thoughts && game.kind !== 'human-human' && (
        <Thoughts evidence={game.evidence} name={thinker()} />
      )}
      <MoveList moves={now} at={at} jump={jump} />
      <CopyLink label="Link to the position shown" path={`/p/${now.slice(0, at)}`} />
    </aside>
  );

  function thinker(): string {
    if (game.kind === 'human-agent') return 'Rowbot';
    return game.evidence ? nameOf(game, game.evidence.ply % 2 === 1 ? 'first' : 'second') : 'Red';
  }

  function heading(): string {
    if (game.kind === 'agent-agent') return `${game.first.name} against ${game.second.name}`;
    if (game.you === 'both') return 'Two people, one screen';
    if (game.you === 'none') return 'Watching';
    const you = colour(game.you).toLowerCase();
    if (game.kind === 'human-human') return `You are ${you}, your friend the other`;
    const title = levels.find((level) => level.name === game.level)?.title ?? game.level;
    return `You, ${you}, against ${title}`;
  }
}
