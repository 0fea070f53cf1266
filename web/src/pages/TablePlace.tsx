// The way to the robot's table: its code is loaded only when somebody goes there.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function TablePlace() {
  const [Page, setPage] = useState<ComponentType | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    import('./TablePage').then(
      ({ TablePage }) => setPage(() => TablePage),
      () => setFailed(true),
    );
  }, []);
  if (Page) return <Page />;
  return (
    <article class="text">
      <h1>The robot’s table</h1>
      <p>{failed ? 'This part of the page did not come. Please reload it.' : 'One moment.'}</p>
    </article>
  );
}
