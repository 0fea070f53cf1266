// From poses that come now and then to poses for every frame: shown a moment late, so that there is
// nearly always a later one to move towards.
import type { Place, Poses } from './types';

export const DELAY_MS = 110;
const LONGEST_STEP_MS = 250; // after a pause the arm does not glide, it begins to move

interface Frame {
  at: number;
  poses: Poses;
}

export interface Shown {
  bodies: Place[];
  pieces: Map<number, Place>;
}

export class Motion {
  private frames: Frame[] = [];

  /// False for poses that are known: the server repeats them while nothing moves.
  add(poses: Poses, now: number): boolean {
    const last = this.frames.at(-1);
    if (last?.poses.time === poses.time) return false;
    // Nothing was sent while nothing moved: the old pose held until just before this one.
    if (last && now - last.at > LONGEST_STEP_MS) last.at = now - LONGEST_STEP_MS / 5;
    this.frames.push({ at: now, poses });
    while (this.frames.length > 2 && this.frames[1]!.at < now - 1000) this.frames.shift();
    return true;
  }

  /// Whether what is shown at `now` still changes.
  moves(now: number): boolean {
    const last = this.frames.at(-1);
    return last !== undefined && now - DELAY_MS <= last.at;
  }

  at(now: number): Shown | null {
    const when = now - DELAY_MS;
    const next = this.frames.findIndex((frame) => frame.at >= when);
    const after = this.frames[next === -1 ? this.frames.length - 1 : Math.max(next, 0)];
    if (!after) return null;
    const before = next > 0 ? this.frames[next - 1]! : after;
    const span = after.at - before.at;
    const part = span > 0 ? Math.min(Math.max((when - before.at) / span, 0), 1) : 1;
    const known = new Map(before.poses.pieces.map(([number, ...place]) => [number!, place]));
    return {
      bodies: after.poses.bodies.map((place, i) => between(before.poses.bodies[i], place, part)),
      pieces: new Map(
        after.poses.pieces.map(([number, ...place]) => [
          number!,
          between(known.get(number!), place, part),
        ]),
      ),
    };
  }
}

/// Straight for the position; for the turn the short way round, which is exact enough for the
/// twentieth of a second between two frames.
export function between(from: Place | undefined, to: Place, part: number): Place {
  if (!from || part >= 1) return to;
  const dot = [3, 4, 5, 6].reduce((sum, i) => sum + from[i]! * to[i]!, 0);
  const sign = dot < 0 ? -1 : 1;
  const mixed = to.map((value, i) => {
    const start = i < 3 ? from[i]! : sign * from[i]!;
    return start + part * (value - start);
  });
  const norm = Math.hypot(mixed[3]!, mixed[4]!, mixed[5]!, mixed[6]!) / 10_000;
  return mixed.map((value, i) => (i < 3 || norm === 0 ? value : value / norm));
}
