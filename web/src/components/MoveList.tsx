// The moves so far, each a way back to the position after it.
import { useEffect, useRef } from 'preact/hooks';
import { moverAt } from '../rules';
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
                aria-label={`Move ${index + 1}: column ${column}${said(index + 1)}`}
                onClick={() => jump(index + 1)}
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

  function step(label: string, to: number, possible: boolean, shape: string) {
    return (
      <button type="button" aria-label={label} disabled={!possible} onClick={() => jump(to)}>
        <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d={shape} />
        </svg>
      </button>
    );
  }

  function said(ply: number): string {
    const mark = marks?.get(ply);
    return mark ? `, ${mark}` : '';
  }
}
