// After the game: where it was decided, what would have been best, how long it would have lasted.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, patiently } from '../api';
import { Board } from '../components/Board';
import { CopyLink } from '../components/CopyLink';
import { Chip } from '../components/Disc';
import { MoveList } from '../components/MoveList';
import { ScoreChart } from '../components/ScoreChart';
import { curveOf, kindOf, marksOf, moveAt, sentenceOf, summaryOf, tallyOf } from '../review';
import { moverAt, positionAfter } from '../rules';
import type { Game, Review } from '../types';
import { endOf, nameOf } from '../words';

export function ReviewPage({ token }: { token: string }) {
  const [game, setGame] = useState<Game | null>(null);
  const [review, setReview] = useState<Review | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [at, setAt] = useState<number | null>(null);

  useEffect(() => {
    let here = true;
    const fail = (error: Error) => here && setProblem(error.message);
    patiently(
      () => api.game(token),
      () => here,
    ).then((g) => here && setGame(g), fail);
    patiently(
      () => api.review(token),
      () => here,
    ).then((r) => here && setReview(r), fail);
    return () => {
      here = false;
    };
  }, [token]);

  const curve = useMemo(() => (review ? curveOf(review) : null), [review]);
  if (problem || !game) {
    return (
      <article class="text">
        <h1>Review</h1>
        <p role="status">{problem ?? 'Fetching the game.'}</p>
        <p>
          <a href={`/g/${token}`}>To the game</a>
        </p>
      </article>
    );
  }
  const shown = at ?? review?.turning_point ?? game.moves.length;
  const position = positionAfter(game.moves.slice(0, shown))!;
  const move = review ? moveAt(review, shown) : undefined;
  const better = move && kindOf(move) !== 'best' ? move.best : [];
  return (
    <div class="play review">
      <div class="stage">
        <div class="status">
          <p class="said">
            {shown > 0 && <Chip side={moverAt(shown - 1)} />}
            <span>
              {shown > 0 ? `Move ${shown}: ${nameOf(game, moverAt(shown - 1))}` : 'The beginning'}
            </span>
          </p>
        </div>
        <Board
          stacks={position.stacks}
          order={position.moves}
          winning={position.winning}
          drop={null}
          onDrop={() => {}}
          best={better}
        />
        <p class={`verdict ${move ? kindOf(move) : ''}`} role="status">
          {move ? sentenceOf(move) : ' '}
        </p>
      </div>
      <aside class="panel" aria-label="Review">
        <h1>Review</h1>
        <p>{game.turn === null ? `${endOf(game)}.` : 'The game goes on.'}</p>
        {review ? (
          <p class="summary">{summaryOf(review, game)}</p>
        ) : (
          <p role="status">The solver looks at every move.</p>
        )}
        {review && curve && (
          <>
            <ScoreChart curve={curve} at={shown} jump={setAt} />
            <Tallies game={game} review={review} />
            <div class="buttons">
              {review.turning_point !== null && (
                <button type="button" onClick={() => setAt(review.turning_point)}>
                  The turning point
                </button>
              )}
              {better.length > 0 && (
                <a class="button" href={`/p/${game.moves.slice(0, shown - 1)}`}>
                  Try it again from here
                </a>
              )}
              <a class="button" href={`/g/${token}`}>
                To the game
              </a>
            </div>
          </>
        )}
        <MoveList
          moves={game.moves}
          at={shown}
          jump={setAt}
          {...(review ? { marks: marksOf(review) } : {})}
        />
        <CopyLink label="Link to the position shown" path={`/p/${game.moves.slice(0, shown)}`} />
      </aside>
    </div>
  );
}

function Tallies({ game, review }: { game: Game; review: Review }) {
  return (
    <table class="tallies">
      <thead>
        <tr>
          <th scope="col">Player</th>
          <th scope="col">Moves</th>
          <th scope="col">Best</th>
          <th scope="col">Mistakes</th>
        </tr>
      </thead>
      <tbody>
        {(['first', 'second'] as const).map((side) => {
          const tally = tallyOf(review, side);
          return (
            <tr key={side}>
              <th scope="row">
                <Chip side={side} /> {nameOf(game, side)}
              </th>
              <td>{tally.moves}</td>
              <td>{tally.best}</td>
              <td>{tally.mistakes}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
