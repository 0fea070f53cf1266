// Beside the board during a game: what can be done, what is shown, the moves, the agent's thoughts.
import type { Play } from '../play';
import { change, useSettings } from '../settings';
import type { Game } from '../types';
import { colour, nameOf } from '../words';
import { Confirmed } from './Confirmed';
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
            {!watching && <Undo game={game} play={play} />}
            <Confirmed
              label="Restart"
              question="Leave this game and begin a new one?"
              sure={watching || game.moves.length === 0}
              act={() => void play.restart()}
            />
            {!watching && (
              <Confirmed
                label="Resign"
                question="Resign this game?"
                disabled={game.moves.length === 0}
                act={() => void play.session?.resign()}
              />
            )}
          </>
        )}
        {over && game.can_undo && <Undo game={game} play={play} />}
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

/// Never disabled, only without effect: a disabled button would throw the focus away.
function Undo({ game, play }: { game: Game; play: Play }) {
  return (
    <button
      type="button"
      aria-disabled={!game.can_undo}
      onClick={() => game.can_undo && void play.session?.undo()}
    >
      Undo
    </button>
  );
}
