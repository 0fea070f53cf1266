interface Props {
  label: string;
  on: boolean;
  set: (on: boolean) => void;
}

/// A switch that stays as it was put, from game to game.
export function Toggle({ label, on, set }: Props) {
  return (
    <button type="button" class="toggle" role="switch" aria-checked={on} onClick={() => set(!on)}>
      <span class="track" aria-hidden="true" />
      {label}
    </button>
  );
}
