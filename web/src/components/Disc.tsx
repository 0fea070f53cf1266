// A disc around (0, 0). The mark tells the sides apart without colour: a ring, or a cross.
import type { Side } from '../rules';

export function Disc({ side }: { side: Side }) {
  return (
    <g class={`disc ${side}`}>
      <circle class="body" r="45" />
      <circle class="edge" r="34" />
      {side === 'first' ? (
        <circle class="mark" r="15" />
      ) : (
        <path class="mark" d="M-13 -13L13 13M-13 13L13 -13" />
      )}
    </g>
  );
}

/// The disc as a sign in text.
export function Chip({ side }: { side: Side }) {
  return (
    <svg class="chip" viewBox="-48 -48 96 96" aria-hidden="true" focusable="false">
      <Disc side={side} />
    </svg>
  );
}
