// The one board: a drawing for the eyes under a grid for keyboard, touch and screen readers.
// Each column's button lies over its whole column, so a click anywhere in it drops there.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Cell, COLUMNS, lastOf, ROWS, type Side, type Stacks } from '../rules';
import { say } from '../say';
import { colour, scoreInWords, signed } from '../words';
import { BoardDrawing } from './BoardDrawing';

const SLOTS = ROWS + 1; // the row of the grid in which discs are put in

interface Place {
  column: number;
  row: number; // 1 at the bottom
}
const nameOf = ({ column, row }: Place) => `${column},${row}`;
const between = (low: number, value: number, high: number) => Math.min(Math.max(value, low), high);

export interface BoardProps {
  stacks: Stacks;
  order: string; // the moves that led here, for what has just fallen; '' if unknown
  winning: Cell[];
  drop: Side | null; // colour of the disc in hand; null while nothing can be dropped
  onDrop: (column: number) => void;
  best?: number[];
  scores?: (number | null)[] | null;
  free?: boolean; // full columns can be clicked as well (the editor)
}

export function Board(props: BoardProps) {
  const { stacks, drop, onDrop, scores } = props;
  const [aim, setAim] = useState<number | null>(null);
  const [focus, setFocus] = useState<Place>({ column: 4, row: SLOTS });
  const places = useRef(new Map<string, HTMLElement>());
  const discs = stacks.reduce((sum, stack) => sum + stack.length, 0);
  const last = lastOf(props.order);

  const open = (column: number) =>
    drop !== null && (props.free || stacks[column - 1]!.length < ROWS);
  const play = (column: number) => {
    if (open(column)) onDrop(column);
    else if (drop !== null) say(`Column ${column} is full.`);
  };

  const latest = useRef(play);
  latest.current = play;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
      if (/^[1-7]$/.test(event.key)) latest.current(Number(event.key));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  /// The arrows walk through the grid, the row of slots included; only Enter and Space drop.
  const walk = (event: KeyboardEvent) => {
    const { column, row } = focus;
    if (row !== SLOTS && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      play(column);
      return;
    }
    const to = {
      ArrowLeft: { column: column - 1, row },
      ArrowRight: { column: column + 1, row },
      ArrowUp: { column, row: row + 1 },
      ArrowDown: { column, row: row - 1 },
      Home: { column: 1, row },
      End: { column: COLUMNS, row },
    }[event.key];
    if (!to) return;
    event.preventDefault();
    const next = { column: between(1, to.column, COLUMNS), row: between(1, to.row, SLOTS) };
    setFocus(next);
    setAim(next.column);
    places.current.get(nameOf(next))?.focus();
  };
  /// What makes an element a place of the grid that the arrows reach.
  const place = (here: Place) => ({
    ref: (element: HTMLElement | null) => {
      if (element) places.current.set(nameOf(here), element);
    },
    tabIndex: focus.column === here.column && focus.row === here.row ? 0 : -1,
  });

  const columns = Array.from({ length: COLUMNS }, (_, c) => c + 1);
  const rows = Array.from({ length: ROWS }, (_, r) => ROWS - r);
  return (
    <div class="board-and-feet">
      <div class={`board${drop ? ' ready' : ''}`}>
        <BoardDrawing
          {...props}
          aim={aim !== null && open(aim) && stacks[aim - 1]!.length < ROWS ? aim : null}
        />
        <div class="cells" role="grid" aria-label="Connect Four board" onKeyDown={walk}>
          <div role="row" class="row">
            {columns.map((column) => (
              <div role="columnheader" class="head" key={column}>
                <button
                  type="button"
                  {...place({ column, row: SLOTS })}
                  class="drop"
                  aria-label={buttonLabel(column)}
                  aria-disabled={!open(column)}
                  onClick={() => play(column)}
                  onFocus={(event) => {
                    setFocus({ column, row: SLOTS });
                    // By keyboard; a finger needs no disc left hanging where it was.
                    if (event.currentTarget.matches(':focus-visible')) setAim(column);
                  }}
                  onBlur={() => setAim(null)}
                  onPointerEnter={(event) => event.pointerType === 'mouse' && setAim(column)}
                  onPointerLeave={() => setAim(null)}
                />
              </div>
            ))}
          </div>
          {rows.map((row) => (
            <div role="row" class="row" key={row}>
              {columns.map((column) => (
                <div
                  role="gridcell"
                  key={column}
                  {...place({ column, row })}
                  aria-label={cellLabel(column, row)}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div class="feet" aria-hidden="true">
        {columns.map((column) => (
          <Foot
            key={column}
            column={column}
            score={scores?.[column - 1]}
            discs={discs}
            shown={scores !== undefined}
            best={props.best?.includes(column) ?? false}
          />
        ))}
      </div>
    </div>
  );

  function buttonLabel(column: number): string {
    const full = stacks[column - 1]!.length >= ROWS ? ', full' : '';
    const score = scores?.[column - 1];
    const worth = score == null ? '' : `, ${scoreInWords(score, discs)}`;
    const hint = props.best?.includes(column) ? ', best move' : '';
    return `Column ${column}${full}${worth}${hint}`;
  }

  function cellLabel(column: number, row: number): string {
    const disc = stacks[column - 1]![row - 1];
    const won = disc && props.winning.some(([c, r]) => c === column && r === row);
    const what = disc ? colour(disc).toLowerCase() : 'empty';
    const newest = last && last[0] === column && last[1] === row ? ', last move' : '';
    return `Column ${column}, row ${row}: ${what}${won ? ', winning line' : newest}`;
  }
}

interface FootProps {
  column: number;
  score: number | null | undefined;
  discs: number;
  shown: boolean;
  best: boolean;
}

function Foot({ column, score, discs, shown, best }: FootProps) {
  const kind = score == null ? '' : score > 0 ? ' good' : score < 0 ? ' bad' : ' even';
  return (
    <div class={`foot${best ? ' best' : ''}`}>
      <span class="number">{column}</span>
      {shown && (
        <span class={`score${kind}`} title={score == null ? '' : scoreInWords(score, discs)}>
          {score == null ? '·' : signed(score)}
        </span>
      )}
    </div>
  );
}

function isTyping(target: EventTarget | null): boolean {
  const fields = 'input:not([type=radio]):not([type=checkbox]), select, textarea';
  return target instanceof Element && target.matches(fields);
}
