// A report's chart: rows with whiskers, or lines over an ordered axis. Diamonds are the paper's.
import { labelled, placeOf, type Scale, scaleOf } from './scale';
import type { Chart, Point, Series } from './types';
import { valueText } from './words';

export function ReportChart({ chart }: { chart: Chart }) {
  const hasPaper = chart.series.some((s) => s.points.some((p) => p.paper !== undefined));
  return (
    <figure class="report-chart">
      <figcaption>
        {chart.title}
        <span class="quiet">
          {' '}
          {chart.y_title}
          {hasPaper && '; diamonds mark the paper’s numbers'}
        </span>
      </figcaption>
      {chart.kind === 'lines' ? <Lines chart={chart} /> : <Rows chart={chart} />}
    </figure>
  );
}

const diamond = (x: number, y: number) => `M${x} ${y - 7}l5 7l-5 7l-5 -7Z`;

// ------------------------------------------------------------------------------------- rows

function Rows({ chart }: { chart: Chart }) {
  const scale = scaleOf(chart);
  const several = chart.series.length > 1;
  const labels = chart.series[0]?.points.map((point) => point.label) ?? [];
  return (
    <ul class="chart-rows">
      {labels.flatMap((label, row) =>
        chart.series.map((series, k) => {
          const point = series.points[row];
          if (!point) return null;
          return (
            <li key={`${row} ${k}`}>
              <span class="label">{several ? `${label}, ${series.name}` : label}</span>
              <Whisker point={point} scale={scale} kind={chart.kind} tone={k} />
              <span>
                {valueText(point.y)} <small>{rangeText(point)}</small>
              </span>
            </li>
          );
        }),
      )}
    </ul>
  );
}

function rangeText({ low, high, paper }: Point): string {
  const known = low !== undefined && high !== undefined;
  const range = known ? `${valueText(low)} to ${valueText(high)}` : '';
  const said = paper === undefined ? '' : `paper ${valueText(paper)}`;
  return [range, said].filter(Boolean).join('; ');
}

interface WhiskerProps {
  point: Point;
  scale: Scale;
  kind: Chart['kind'];
  tone: number;
}

function Whisker({ point, scale, kind, tone }: WhiskerProps) {
  const x = (y: number) => 300 * placeOf(scale, y);
  const zero = x(0);
  return (
    <svg class={`whisker tone-${tone % 4}`} viewBox="-6 0 312 20" aria-hidden="true">
      <line class="axis" x1="0" x2="300" y1="10" y2="10" />
      {kind === 'bars' && (
        <rect
          class="bar"
          x={Math.min(zero, x(point.y))}
          width={Math.abs(x(point.y) - zero)}
          y="4"
          height="12"
        />
      )}
      {point.low !== undefined && point.high !== undefined && (
        <path
          class="error"
          d={`M${x(point.low)} 5V15M${x(point.low)} 10H${x(point.high)}M${x(point.high)} 5V15`}
        />
      )}
      {kind === 'ranking' && <circle class="dot" cx={x(point.y)} cy="10" r="5" />}
      {point.paper !== undefined && <path class="paper" d={diamond(x(point.paper), 10)} />}
    </svg>
  );
}

// ------------------------------------------------------------------------------------ lines

const WIDTH = 640;
const HEIGHT = 260;
const LEFT = 62;
const BOTTOM = 46;
const TOP = 10;
const RIGHT = 16;

function Lines({ chart }: { chart: Chart }) {
  const scale = scaleOf(chart);
  const labels = chart.series[0]?.points.map((point) => point.label) ?? [];
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, labels.length - 1);
  const x = (i: number) => (labels.length === 1 ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + i * step);
  const y = (value: number) => HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * placeOf(scale, value);
  const longest = Math.max(...labels.map((label) => label.length), 1);
  const shown = labelled(labels.length, Math.floor((WIDTH - LEFT - RIGHT) / (longest * 8 + 12)));
  return (
    <>
      {chart.series.length > 1 && (
        <ul class="legend">
          {chart.series.map((series, k) => (
            <li key={series.name} class={`tone-${k % 4}`}>
              <svg viewBox="0 0 20 10" aria-hidden="true">
                <line class="line" x1="0" x2="20" y1="5" y2="5" />
                <circle class="dot" cx="10" cy="5" r="4" />
              </svg>
              {series.name}
            </li>
          ))}
        </ul>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={`${chart.title}, drawn`}>
        <svg
          class="lines"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="img"
          aria-label={chart.series.map(spoken).join('. ')}
        >
          {scale.ticks.map((tick) => (
            <g key={tick}>
              <line class="axis" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
                {valueText(tick)}
              </text>
            </g>
          ))}
          {labels.map((label, i) =>
            shown(i) ? (
              <text key={i} x={x(i)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
                {label}
              </text>
            ) : null,
          )}
          <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} text-anchor="middle" class="title">
            {chart.x_title}
          </text>
          {chart.series.map((series, k) => (
            <g key={series.name} class={`tone-${k % 4}`}>
              <path
                class="line"
                d={series.points.map((p, i) => `${i === 0 ? 'M' : 'L'}${x(i)} ${y(p.y)}`).join('')}
              />
              {series.points.map((p, i) => (
                <g key={i}>
                  {p.low !== undefined && p.high !== undefined && (
                    <path class="error" d={errorBar(x(i), y(p.low), y(p.high))} />
                  )}
                  <circle class="dot" cx={x(i)} cy={y(p.y)} r="4" />
                  {p.paper !== undefined && <path class="paper" d={diamond(x(i), y(p.paper))} />}
                </g>
              ))}
            </g>
          ))}
        </svg>
      </div>
    </>
  );
}

const errorBar = (x: number, low: number, high: number) =>
  `M${x - 4} ${low}H${x + 4}M${x} ${low}V${high}M${x - 4} ${high}H${x + 4}`;

const spoken = (series: Series): string =>
  `${series.name}: ${series.points.map((p) => `${p.label} ${valueText(p.y)}`).join(', ')}`;
