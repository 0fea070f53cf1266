// The laboratory: two agents play many games while one looks on, and what was found before.
import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../answer';
import { laboratory } from '../laboratory/calls';
import { Experiments } from '../laboratory/Experiments';
import { MatchForm } from '../laboratory/MatchForm';
import { MatchView } from '../laboratory/MatchView';
import { useMatch } from '../laboratory/match';
import type { MatchWish } from '../laboratory/types';
import { isOver } from '../laboratory/words';
import { go } from '../router';
import { say } from '../say';
import '../styles/laboratory.css';

export function LaboratoryPage({ id }: { id: string | null }) {
  const offered = useAnswer(laboratory.agents);
  const [problem, setProblem] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  const followed = useMatch(id);

  const start = async (wish: MatchWish) => {
    setStarting(true);
    setProblem(null);
    try {
      go(`/lab/${(await laboratory.start(wish)).match}`);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setStarting(false);
  };
  const stop = () => {
    if (id) laboratory.stop(id).catch((error: Error) => setProblem(error.message));
  };

  const { match, news } = followed;
  useEffect(() => {
    if (news) say(news);
  }, [news]);
  const agents = offered.answer ?? [];
  const trouble = problem ?? followed.problem ?? offered.problem;
  return (
    <article class="wide laboratory">
      <h1>Laboratory</h1>
      <p>
        Two agents play a match of up to 200 games, colours swapped from game to game. One match is
        played at a time, for at most two minutes.
      </p>
      {agents.length > 0 && (
        <MatchForm
          agents={agents}
          busy={starting || (match !== null && !isOver(match))}
          start={(wish) => void start(wish)}
        />
      )}
      {trouble && (
        <p role="alert" class="trouble">
          {trouble}
        </p>
      )}
      {match && <MatchView match={match} agents={agents} stop={stop} />}
      <Experiments />
    </article>
  );
}
