// The moves so far, each a way back to the position after it.
import { useEffect, useRef } from 'preact/hooks';
import { moverAt } from '../rules';
import { say } from '../say';
import { colour } from '../words';
import { Chip } from './Disc';

interface Props {
  moves: string;
  at: number; // plies shown on the board
  jump: (ply: number) => void;
  marks?: Map<number, string>; // ply -> a word about that move
}

export function MoveList({ moves, at, jump, marks }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // Only the list scrolls: the page stays where the reader put it.
    const here = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (here && list.current) list.current.scrollTop = here.offsetTop - list.current.offsetTop - 60;
  }, [at, moves]);
  const last = moves.length;
  const show = (ply: number) => {
    if (ply < 0 || ply > last || ply === at) return;
    jump(ply);
    say(
      ply === 0 ? 'The beginning.' : `${labelOf(ply)}, ${colour(moverAt(ply - 1)).toLowerCase()}.`,
    );
  };
  useStepKeys({ ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }, show);
  return (
    <section class="moves" aria-label="Moves">
      <div class="steps">
        {step('To the beginning', 0, at > 0, 'M3 2V14M13 2L6 8L13 14Z')}
        {step('One move back', at - 1, at > 0, 'M11 2L4 8L11 14Z')}
        <span class="where">
          {at} of {last}
        </span>
        {step('One move on', at + 1, at < last, 'M5 2L12 8L5 14Z')}
        {step('To the last move', last, at < last, 'M13 2V14M3 2L10 8L3 14Z')}
      </div>
      {last > 0 && (
        <ol ref={list} tabIndex={0} aria-label="Moves, each a link to its position">
          {[...moves].map((column, index) => (
            <li key={index}>
              <button
                type="button"
                class={marks?.get(index + 1) ? 'marked' : ''}
                aria-current={at === index + 1 ? 'step' : undefined}
                aria-label={labelOf(index + 1)}
                onClick={() => show(index + 1)}
              >
                <Chip side={moverAt(index)} />
                {column}
                {marks?.get(index + 1) && <span aria-hidden="true">?</span>}
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );

  /// Not disabled at the ends: that would throw the focus away.
  function step(label: string, to: number, possible: boolean, shape: string) {
    return (
      <button
        type="button"
        aria-label={label}
        aria-disabled={!possible}
        onClick={() => possible && show(to)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d={shape} />
        </svg>
      </button>
    );
  }

  function labelOf(ply: number): string {
    const mark = marks?.get(ply);
    return `Move ${ply}: column ${moves[ply - 1]}${mark ? `, ${mark}` : ''}`;
  }
}

/// The arrows step through the game wherever they have no other meaning.
function useStepKeys(plies: Record<string, number>, show: (ply: number) => void): void {
  const latest = useRef({ plies, show });
  latest.current = { plies, show };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const elsewhere = '[role=grid], input, select, textarea, canvas, .chart';
      if (event.target instanceof Element && event.target.closest(elsewhere)) return;
      const ply = latest.current.plies[event.key];
      if (ply === undefined) return;
      event.preventDefault();
      latest.current.show(ply);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
