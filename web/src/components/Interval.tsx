// A share with its interval, and the number of Carlo 2020 as a diamond on the same scale.
import { percent } from '../words';

interface Props {
  share: number | null; // null: nothing counted yet
  low: number;
  high: number;
  paper: number | null;
}

export function Interval({ share, low, high, paper }: Props) {
  return (
    <div class="interval">
      <svg viewBox="-4 0 208 20" aria-hidden="true" focusable="false">
        <line class="scale" x1="0" x2="200" y1="10" y2="10" />
        {share !== null && (
          <rect class="share" x="0" y="5" width={200 * share} height="10" rx="2" />
        )}
        {share !== null && (
          <path
            class="whisker"
            d={`M${200 * low} 5V15M${200 * low} 10H${200 * high}M${200 * high} 5V15`}
          />
        )}
        {paper !== null && <path class="paper" d={`M${200 * paper} 3l5 7l-5 7l-5 -7Z`} />}
      </svg>
      <span>
        {share === null ? (
          <span class="quiet">none yet</span>
        ) : (
          <>
            {percent(share)} <small>{`${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}`}</small>
          </>
        )}
      </span>
    </div>
  );
}
