// The robot's table to look at: in three dimensions, or as the camera's still where WebGL is missing.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api';
import type { Poses, Table } from '../table/types';
import type { View3d, ViewPlace } from '../table/view3d';

const VIEWS: [ViewPlace, string][] = [
  ['visitor', 'Front'],
  ['side', 'Side'],
  ['above', 'Above'],
  ['robot', 'Back'],
];

interface Props {
  table: Table;
  listen: (listener: (poses: Poses) => void) => () => void;
}

export function TableScene({ table, listen }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<View3d | null>(null);
  const [how, setHow] = useState<'loading' | 'live' | 'still'>('loading');
  useEffect(() => {
    const name = table.scene;
    if (!name) return;
    if (!hasWebGl()) return setHow('still');
    let closed = false;
    let last: Poses | null = null;
    const deaf = listen((poses) => {
      last = poses;
      view.current?.show(poses);
    });
    Promise.all([import('../table/view3d'), api.tableScene(name)]).then(
      ([{ openView }, scene]) => {
        if (closed || !canvas.current) return;
        try {
          view.current = openView(canvas.current, scene);
          if (last) view.current.show(last);
          setHow('live');
        } catch {
          setHow('still');
        }
      },
      () => !closed && setHow('still'),
    );
    return () => {
      closed = true;
      deaf();
      view.current?.close();
      view.current = null;
    };
  }, [table.scene]);
  return (
    <div class={`scene ${how}`}>
      {how === 'still' ? (
        <CameraPicture number={table.camera} />
      ) : (
        <canvas
          ref={canvas}
          role="img"
          aria-label="The robot arm, the board and the discs, live. The words and the board beside tell the same."
        />
      )}
      {how === 'live' && (
        <div class="views" role="group" aria-label="Where to look from">
          {VIEWS.map(([place, label]) => (
            <button key={place} type="button" onClick={() => view.current?.lookFrom(place)}>
              {label}
            </button>
          ))}
          <button type="button" aria-label="Nearer" onClick={() => view.current?.zoom(1.25)}>
            +
          </button>
          <button type="button" aria-label="Farther" onClick={() => view.current?.zoom(0.8)}>
            −
          </button>
        </div>
      )}
      {how === 'loading' && <p class="quiet">The table is being set up.</p>}
    </div>
  );
}

/// Asked before anything is fetched that would need it.
function hasWebGl(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}

/// The newest picture that has arrived; the one before stays until then.
export function CameraPicture({ number }: { number: number }) {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (number === 0) return;
    const picture = new Image();
    const source = `/api/v1/table/camera?number=${number}`;
    picture.onload = () => setShown(source);
    picture.src = source;
    return () => (picture.onload = null);
  }, [number]);
  if (!shown) return <p class="quiet">The camera has not looked yet.</p>;
  return (
    <img
      class="camera"
      src={shown}
      width="640"
      height="480"
      alt="The board through the robot’s camera, with what it recognised drawn on it"
    />
  );
}
