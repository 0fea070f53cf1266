// A match while it is played and afterwards: who won how much, how sure that is, the last board.
import { BoardDrawing } from '../components/BoardDrawing';
import { Interval } from '../components/Interval';
import { positionAfter } from '../rules';
import { Command } from './Command';
import type { LabAgent, LastGame, Match, MatchResult } from './types';
import { commandOf, eloOf, isOver, lastGameOf, stateOf, titleOf } from './words';

interface Props {
  match: Match;
  agents: LabAgent[];
  stop: () => void;
}

export function MatchView({ match, agents, stop }: Props) {
  const { result } = match;
  return (
    <section class="match" aria-labelledby="match-title">
      <div class="match-head">
        <h2 id="match-title">
          <span class="side-a">A</span> {titleOf(agents, result.a)} against{' '}
          <span class="side-b">B</span> {titleOf(agents, result.b)}
        </h2>
        {!isOver(match) && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </div>
      <div class="match-body">
        <div>
          <p class={isOver(match) ? '' : 'dots'}>{stateOf(match)}</p>
          <Bar result={result} games={match.games} />
          <dl class="match-numbers">
            <div>
              <dt>A won</dt>
              <dd>{result.a_wins}</dd>
            </div>
            <div>
              <dt>Drawn</dt>
              <dd>{result.draws}</dd>
            </div>
            <div>
              <dt>B won</dt>
              <dd>{result.b_wins}</dd>
            </div>
            <div class="broad">
              <dt>Score of A, 95 % interval</dt>
              <dd>
                <Interval
                  share={result.games > 0 ? result.a_score : null}
                  low={result.a_score_low}
                  high={result.a_score_high}
                  paper={null}
                />
              </dd>
            </div>
            <div class="broad">
              <dt>A stronger by, Elo</dt>
              <dd>{eloOf(result)}</dd>
            </div>
          </dl>
          <p class="quiet">
            The same games on your own machine: <Command text={commandOf(match)} />
          </p>
        </div>
        {match.last && <LastBoard game={match.last} />}
      </div>
    </section>
  );
}

/// Of all games to be played: won by A, drawn, won by B, and the rest.
function Bar({ result, games }: { result: MatchResult; games: number }) {
  const width = (count: number) => (1000 * count) / games;
  return (
    <svg
      class="match-bar"
      viewBox="0 0 1000 24"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect class="rest" width="1000" height="24" />
      <rect class="won-a" width={width(result.a_wins)} height="24" />
      <rect class="drawn" x={width(result.a_wins)} width={width(result.draws)} height="24" />
      <rect
        class="won-b"
        x={width(result.a_wins + result.draws)}
        width={width(result.b_wins)}
        height="24"
      />
    </svg>
  );
}

function LastBoard({ game }: { game: LastGame }) {
  const position = positionAfter(game.moves);
  if (!position) return null;
  return (
    <figure class="last-board">
      <BoardDrawing {...position} order={game.moves} drop={null} onDrop={() => {}} aim={null} />
      <figcaption>
        {lastGameOf(game)} <a href={`/p/${game.moves}`}>Look at the game</a>
      </figcaption>
    </figure>
  );
}
