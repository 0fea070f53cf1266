// Past experiments of this server: the matrix of all agents, then every paper's tables and figures.
import { useAnswer } from '../answer';
import { Command } from './Command';
import { laboratory } from './calls';
import { ReportChart } from './ReportChart';
import { ReportTable } from './ReportTable';
import type { Experiment, Report } from './types';

const MATRIX = 'all-agents';

export function Experiments() {
  const { answer: experiments, problem } = useAnswer(laboratory.experiments);
  if (problem) {
    return (
      <p role="alert" class="trouble">
        {problem}
      </p>
    );
  }
  if (!experiments) return <p role="status">Reading the experiments.</p>;
  const matrix = experiments.find((one) => one.name === MATRIX);
  const others = experiments.filter((one) => one.name !== MATRIX && one.report !== null);
  const missing = experiments.filter((one) => one.report === null);
  return (
    <>
      <h2>All agents</h2>
      {matrix?.report ? <Findings report={matrix.report} /> : <NotRun experiment={matrix} />}
      <h2>Experiments</h2>
      {others.length === 0 && (
        <p class="notice">
          None of the papers’ experiments was run for this server yet. For all of them, with a tenth
          of the games: <Command text="rowbot experiment run all --scale 0.1 --db FILE" />
        </p>
      )}
      {others.map((one) => (
        <details key={one.name} class="experiment">
          <summary>
            {one.title} <span class="quiet">{one.source}</span>
          </summary>
          <Findings report={one.report!} />
        </details>
      ))}
      {others.length > 0 && missing.length > 0 && <Missing experiments={missing} />}
      {missing.length > 0 && (
        <p class="quiet">
          FILE is the database of this server: what it was started with as <code>--db</code> or{' '}
          <code>--lab</code>, /var/lib/rowbot/rowbot.db if it came as a Debian package. Without{' '}
          <code>--db</code> the results go to the database of the user who runs the command.
        </p>
      )}
    </>
  );
}

function NotRun({ experiment }: { experiment: Experiment | undefined }) {
  if (!experiment) return null;
  return (
    <p class="notice">
      {experiment.problem
        ? `Its report cannot be read: ${experiment.problem}. To make it anew: `
        : 'They have not played against each other for this server yet. To let them: '}
      <Command text={`${experiment.command} --scale 0.1 --db FILE`} />
    </p>
  );
}

function Missing({ experiments }: { experiments: Experiment[] }) {
  return (
    <details class="experiment">
      <summary>
        Not run here yet <span class="quiet">{experiments.length}</span>
      </summary>
      <ul class="missing">
        {experiments.map((one) => (
          <li key={one.name}>
            {one.title}: <Command text={`${one.command} --db FILE`} />
            {one.problem && ` (its report cannot be read: ${one.problem})`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Findings({ report }: { report: Report }) {
  return (
    <div class="report">
      {report.findings.map((text, i) => (
        <p key={i}>{text}</p>
      ))}
      {report.paper_says && (
        <p>
          <strong>The paper:</strong> {report.paper_says}
        </p>
      )}
      {report.charts.map((chart, i) => (
        <ReportChart key={i} chart={chart} />
      ))}
      {report.tables.map((table, i) => (
        <ReportTable key={i} table={table} />
      ))}
      <details>
        <summary>How it was measured</summary>
        <ul>
          {report.differences.map((text, i) => (
            <li key={i}>{text}</li>
          ))}
        </ul>
        <dl class="setting">
          {report.setting.map(([name, value], i) => (
            <div key={i}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
