// From values to places on a chart's axis.
import type { Chart } from './types';

export interface Scale {
  low: number;
  high: number;
  ticks: number[];
}

/// 1, 2 or 5 times a power of ten, so that `span` has three to six of them.
function stepFor(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const times = span / 3 / power;
  return power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
}

/// Everything the chart shows fits; its ends are ticks unless the report names them.
export function scaleOf(chart: Chart): Scale {
  const shown = chart.series
    .flatMap((series) => series.points)
    .flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y, p.paper ?? p.y]);
  let low = chart.y_low ?? Math.min(...shown, chart.kind === 'bars' ? 0 : Infinity);
  let high = chart.y_high ?? Math.max(...shown);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { low: 0, high: 1, ticks: [0, 1] };
  if (high <= low) high = low + 1;
  const step = stepFor(high - low);
  if (chart.y_low === undefined) low = Math.floor(low / step) * step;
  if (chart.y_high === undefined) high = Math.ceil(high / step) * step;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) {
    ticks.push(i * step);
  }
  return { low, high, ticks };
}

/// 0 to 1; what lies outside is drawn at the end.
export const placeOf = (scale: Scale, y: number): number =>
  Math.min(1, Math.max(0, (y - scale.low) / (scale.high - scale.low)));

/// Which of `count` labels there is room for: the first, and every so many after it.
export function labelled(count: number, room: number): (index: number) => boolean {
  const every = Math.max(1, Math.ceil(count / room));
  return (index) => index % every === 0;
}
