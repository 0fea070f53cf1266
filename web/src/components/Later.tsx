// A part of the page that is fetched when somebody goes there.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Props<P> {
  load: () => Promise<ComponentType<P>>; // the same function each time
  props: P;
}

export function Later<P extends object>({ load, props }: Props<P>) {
  const [part, setPart] = useState<{ Part: ComponentType<P> } | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let here = true;
    load().then(
      (Part) => here && setPart({ Part }),
      () => here && setFailed(true),
    );
    return () => {
      here = false;
    };
  }, [load]);
  if (part) return <part.Part {...props} />;
  return failed ? (
    <p role="alert" class="trouble">
      This part of the page did not arrive. Please load the page again.
    </p>
  ) : (
    <p role="status">Loading.</p>
  );
}
