// The picture of the board, 700 x 652 units: the cells, and above them air for half a disc, which is
// what one sees of a disc held into its slot.
import { useRef } from 'preact/hooks';
import { type Cell, COLUMNS, lastOf, ROWS, type Side } from '../rules';
import type { BoardProps } from './Board';
import { Disc } from './Disc';

const xOf = (column: number) => column * 100 - 50;
const yOf = (row: number) => 750 - row * 100;
const TOP = 48;
const RIM = 100; // of the board; what is below it of a disc in hand cannot be seen
const IN_HAND = 96;

const hole = (x: number, y: number) => `M${x - 41} ${y}a41 41 0 1 0 82 0a41 41 0 1 0 -82 0Z`;
const holes = Array.from({ length: COLUMNS * ROWS }, (_, i) =>
  hole(xOf((i % COLUMNS) + 1), yOf(Math.floor(i / COLUMNS) + 1)),
).join('');
const FACE = `M24 100H676Q700 100 700 124V676Q700 700 676 700H24Q0 700 0 676V124Q0 100 24 100Z${holes}`;

interface Props extends BoardProps {
  aim: number | null;
}

export function BoardDrawing({ stacks, order, winning, drop, best, aim }: Props) {
  const falling = useFalling(order);
  const last = lastOf(order);
  const won = (column: number, row: number) => winning.some(([c, r]) => c === column && r === row);
  const discs: { at: Cell; side: Side }[] = stacks.flatMap((stack, c) =>
    stack.map((side, r) => ({ at: [c + 1, r + 1] as Cell, side })),
  );
  return (
    <svg class="drawing" viewBox={`0 ${TOP} 700 ${700 - TOP}`} aria-hidden="true" focusable="false">
      <rect class="back" x="4" y="104" width="692" height="592" rx="22" />
      {discs.map(({ at: [column, row], side }) => {
        const delay = falling.get(`${column},${row}`);
        const y = yOf(row);
        const drift = delay === undefined ? {} : fallStyle(y - IN_HAND, delay);
        return (
          <g key={`${column},${row},${side}`} transform={`translate(${xOf(column)} ${y})`}>
            <g class={delay === undefined ? '' : 'falling'} style={drift}>
              <Disc side={side} />
            </g>
          </g>
        );
      })}
      {drop && aim !== null && (
        <svg
          aria-hidden="true"
          y={TOP}
          width="700"
          height={RIM - TOP}
          viewBox={`0 ${TOP} 700 ${RIM - TOP}`}
        >
          <g class="in-hand" style={{ transform: `translate(${xOf(aim)}px, ${IN_HAND}px)` }}>
            <Disc side={drop} />
          </g>
        </svg>
      )}
      <path class="face" d={FACE} fill-rule="evenodd" />
      <path class="rims" d={holes} />
      {best?.map((column) => {
        const row = (stacks[column - 1]?.length ?? 0) + 1;
        if (row > ROWS) return null;
        return <circle key={column} class="best" cx={xOf(column)} cy={yOf(row)} r="30" />;
      })}
      {last && !won(...last) && <circle class="last" cx={xOf(last[0])} cy={yOf(last[1])} r="41" />}
      {discs.map(({ at: [column, row] }) =>
        won(column, row) ? (
          <circle key={`${column},${row}`} class="won" cx={xOf(column)} cy={yOf(row)} r="41" />
        ) : null,
      )}
    </svg>
  );
}

function fallStyle(distance: number, delayMs: number) {
  return {
    '--fall': `${-distance}px`,
    animationDuration: `${Math.round(18 * Math.sqrt(distance))}ms`,
    animationDelay: `${delayMs}ms`,
  };
}

/// Cells whose discs were seen to fall, with their delays: one move, or a move and its answer.
/// A jump to another position shows its discs at rest.
function useFalling(order: string): Map<string, number> {
  const memory = useRef<{ order: string; falling: Map<string, number>; until: number }>();
  const before = memory.current;
  if (before?.order === order) return before.falling;
  const follows = before && order.startsWith(before.order);
  if (!follows || order.length - before.order.length > 2) {
    memory.current = { order, falling: new Map(), until: 0 };
    return memory.current.falling;
  }
  const now = performance.now();
  let { until } = before;
  for (let ply = before.order.length; ply < order.length; ++ply) {
    const cell = lastOf(order.slice(0, ply + 1))!;
    // An answer waits until the disc before it has landed.
    const delay = Math.max(0, Math.round(until - now));
    before.falling.set(cell.join(), delay);
    until = now + delay + 400;
  }
  memory.current = { order, falling: before.falling, until };
  return before.falling;
}
