// How people fare against Rowbot, beside the numbers of Carlo 2020 (Tables 7.1 and 7.2).
import { useEffect, useState } from 'preact/hooks';
import { api, patiently } from '../api';
import { Interval } from '../components/Interval';
import { useLevels } from '../components/NewGameForm';
import type { LevelStatistics, Share, Statistics } from '../types';
import { grouped, percent } from '../words';

export function StatisticsPage() {
  const [statistics, setStatistics] = useState<Statistics | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const levels = useLevels();

  useEffect(() => {
    let here = true;
    const ask = () =>
      patiently(api.statistics, () => here).then(
        (answer) => here && setStatistics(answer),
        (error: Error) => here && setProblem(error.message),
      );
    void ask();
    const timer = setInterval(() => document.visibilityState === 'visible' && void ask(), 10_000);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, []);

  const title = (name: string) => levels.find((level) => level.name === name)?.title ?? name;
  return (
    <article class="wide">
      <h1>Statistics</h1>
      {problem && (
        <p role="alert" class="trouble">
          {problem}
        </p>
      )}
      {!statistics && !problem && <p role="status">Counting.</p>}
      {statistics && (
        <>
          <p>
            {grouped(statistics.games)} {statistics.games === 1 ? 'game' : 'games'} finished here.
            Bars are shares with their 95 % intervals; a diamond marks the number of the bachelor
            thesis that Rowbot’s levels come from.
          </p>
          <h2>People against Rowbot</h2>
          <div class="scroll" tabIndex={0} role="region" aria-label="Results by level">
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">Level</th>
                  <th scope="col" class="n">
                    Games
                  </th>
                  <th scope="col">People win</th>
                  <th scope="col" class="n">
                    Thesis
                  </th>
                  <th scope="col" class="n">
                    Rowbot wins
                  </th>
                  <th scope="col" class="n">
                    Thesis
                  </th>
                  <th scope="col" class="n">
                    Draws
                  </th>
                  <th scope="col" class="n">
                    Thesis
                  </th>
                </tr>
              </thead>
              <tbody>
                {statistics.levels.map((level) => (
                  <LevelRow key={level.level} level={level} title={title(level.level)} />
                ))}
              </tbody>
            </table>
          </div>
          <h2>How it feels</h2>
          <p>
            {grouped(statistics.survey.answers)} answers to the <a href="/survey">survey</a>; the
            thesis had 72.
          </p>
          <div class="pair">
            <Shares caption="Game feeling" shares={statistics.survey.feel} />
            <Shares caption="Age" shares={statistics.survey.ages} />
          </div>
        </>
      )}
    </article>
  );
}

const none = <span class="quiet">–</span>;

function LevelRow({ level, title }: { level: LevelStatistics; title: string }) {
  const rate = (count: number) => (level.games > 0 ? percent(count / level.games) : none);
  const { paper } = level;
  return (
    <tr>
      <th scope="row">{title}</th>
      <td class="n">{grouped(level.games)}</td>
      <td>
        <Interval
          share={level.games > 0 ? level.human_rate : null}
          low={level.low}
          high={level.high}
          paper={paper?.human ?? null}
        />
      </td>
      <td class="n">{paper ? percent(paper.human) : none}</td>
      <td class="n">{rate(level.agent_wins)}</td>
      <td class="n">{paper ? percent(paper.agent) : none}</td>
      <td class="n">{rate(level.draws)}</td>
      <td class="n">{paper ? percent(paper.draw) : none}</td>
    </tr>
  );
}

function Shares({ caption, shares }: { caption: string; shares: Share[] }) {
  const answers = shares.reduce((sum, share) => sum + share.count, 0);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{caption}</th>
            <th scope="col" class="n">
              Answers
            </th>
            <th scope="col">Share</th>
            <th scope="col" class="n">
              Thesis
            </th>
          </tr>
        </thead>
        <tbody>
          {shares.map((share) => (
            <tr key={share.key}>
              <th scope="row">{share.label}</th>
              <td class="n">{grouped(share.count)}</td>
              <td>
                <Interval
                  share={answers > 0 ? share.share : null}
                  low={share.low}
                  high={share.high}
                  paper={share.paper}
                />
              </td>
              <td class="n">{share.paper === null ? none : percent(share.paper)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
