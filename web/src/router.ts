// Addresses of the page: each is a place one can reload, share and go back to.
import { useEffect, useState } from 'preact/hooks';
import { positionAfter } from './rules';

export type Route =
  | { page: 'play' }
  | { page: 'game'; token: string }
  | { page: 'position'; moves: string }
  | { page: 'review'; token: string }
  | { page: 'laboratory'; id: string | null }
  | { page: 'statistics' }
  | { page: 'survey' }
  | { page: 'table' }
  | { page: 'about' }
  | { page: 'unknown'; moves?: string }; // moves that are not a game

export function routeOf(path: string): Route {
  const [, place = '', rest = '', ...more] = path.replace(/\/+$/, '').split('/');
  if (more.length > 0) return { page: 'unknown' };
  const token = /^[0-9a-f]{32}$/.test(rest);
  switch (place) {
    case '':
      return { page: 'play' };
    case 'g':
      return token ? { page: 'game', token: rest } : { page: 'unknown' };
    case 'review':
      return token ? { page: 'review', token: rest } : { page: 'unknown' };
    case 'lab':
      if (rest === '') return { page: 'laboratory', id: null };
      return token ? { page: 'laboratory', id: rest } : { page: 'unknown' };
    case 'p':
      if (!positionAfter(rest)) return { page: 'unknown', moves: decode(rest) };
      return { page: 'position', moves: rest };
    case 'statistics':
    case 'survey':
    case 'table':
    case 'about':
      return rest === '' ? { page: place } : { page: 'unknown' };
    default:
      return { page: 'unknown' };
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray per cent sign
  }
}

export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

export function useRoute(): Route {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const follow = () => setPath(location.pathname);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  return routeOf(path);
}

/// Lets a plain link change the page without loading it anew; other clicks stay the browser's.
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!link || !plain || link.target || link.origin !== location.origin || link.hash) return;
    event.preventDefault();
    go(link.pathname);
    scrollTo(0, 0);
  });
}
