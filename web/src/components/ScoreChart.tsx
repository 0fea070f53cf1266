// The score by ply. uPlot is fetched only when somebody looks at a review.
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import type { Curve } from '../review';
import { useSettings } from '../settings';
import { signed } from '../words';

interface Props {
  curve: Curve;
  at: number;
  jump: (ply: number) => void;
}

export function ScoreChart({ curve, at, jump }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const { theme } = useSettings();

  useEffect(() => {
    let cancelled = false;
    let cleanUp = () => {};
    void Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]).then(([module]) => {
      const box = place.current;
      if (cancelled || !box) return;
      const css = getComputedStyle(document.documentElement);
      const ink = css.getPropertyValue('--ink-soft').trim();
      const lines = css.getPropertyValue('--line').trim();
      const accent = css.getPropertyValue('--accent').trim();
      const axis = { stroke: ink, grid: { stroke: lines, width: 1 }, ticks: { show: false } };
      const chart = new module.default(
        {
          width: box.clientWidth,
          height: 200,
          legend: { show: false },
          cursor: { y: false, points: { size: 8 }, drag: { x: false, y: false } },
          scales: {
            x: { time: false },
            y: { range: (_, low, high) => [Math.min(low, -3) - 1, Math.max(high, 3) + 1] },
          },
          axes: [
            { ...axis, incrs: [1, 2, 5, 10] },
            { ...axis, incrs: [1, 2, 5, 10], size: 42, values: (_, ticks) => ticks.map(signed) },
          ],
          series: [
            {},
            {
              stroke: accent,
              width: 2,
              fill: `${accent}22`,
              fillTo: () => 0,
              points: { size: 6, fill: accent },
            },
          ],
        },
        [curve.plies, curve.scores],
        box,
      );
      const click = () => {
        const index = chart.cursor.idx;
        const ply = index == null ? undefined : curve.plies[index];
        if (ply !== undefined) latest.current(ply);
      };
      chart.over.addEventListener('click', click);
      const resize = new ResizeObserver(() =>
        chart.setSize({ width: box.clientWidth, height: 200 }),
      );
      resize.observe(box);
      plot.current = chart;
      cleanUp = () => {
        resize.disconnect();
        plot.current = null;
        chart.destroy();
      };
    });
    return () => {
      cancelled = true;
      cleanUp();
    };
  }, [curve, theme]);

  const latest = useRef(jump);
  latest.current = jump;
  useEffect(() => {
    const chart = plot.current;
    if (chart && at > 0) chart.setCursor({ left: chart.valToPos(at, 'x'), top: 0 });
  }, [at]);

  return (
    <figure class="chart">
      <div
        ref={place}
        role="img"
        aria-label={`Red's score after each move: ${curve.scores.map(signed).join(', ')}`}
      />
      <figcaption>
        Exact score after each move: above 0 red wins with best play, below 0 yellow.
      </figcaption>
    </figure>
  );
}
