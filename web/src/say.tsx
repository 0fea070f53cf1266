// What screen readers are told, whichever part of the page has something to tell.
import { useEffect, useState } from 'preact/hooks';

const nobody = (_: string): void => {};
let tell = nobody;

/// Says `text`, also when it was the last thing said: a column that is still full is full again.
export const say = (text: string): void => tell(text);

/// Once on the page. A new element for each text, because an unchanged one would not be read.
export function LiveRegion() {
  const [said, setSaid] = useState({ text: '', number: 0 });
  useEffect(() => {
    tell = (text) => setSaid(({ number }) => ({ text, number: number + 1 }));
    return () => {
      tell = nobody;
    };
  }, []);
  return (
    <div class="unseen" role="status" aria-live="polite">
      <span key={said.number}>{said.text}</span>
    </div>
  );
}
