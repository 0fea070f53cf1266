// Where the keyboard goes on when its place on the page is gone.
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/// A control that vanishes takes the focus with it, and the keyboard would begin anew at the top of
/// the page. After each change, if that happened inside `area`, `next` gets the focus.
export function useKeptFocus(area: RefObject<HTMLElement>, next: () => HTMLElement | null): void {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const element = area.current;
    const follow = (event: FocusEvent) => {
      last.current = event.target as Element;
    };
    element?.addEventListener('focusin', follow);
    return () => element?.removeEventListener('focusin', follow);
  }, []);
  useLayoutEffect(() => {
    const gone = last.current !== null && !last.current.isConnected;
    if (!gone) return;
    last.current = null;
    const nowhere = document.activeElement === document.body || document.activeElement === null;
    if (nowhere) next()?.focus({ preventScroll: true });
  });
}
