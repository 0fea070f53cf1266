// One match as this page follows it: asked for twice a second until it is over.
import { useEffect, useState } from 'preact/hooks';
import { patiently } from '../api';
import { laboratory } from './calls';
import type { Match } from './types';
import { isOver, newsOf } from './words';

const PAUSE_MS = 500;

export interface Followed {
  match: Match | null;
  news: string; // for the live region
  problem: string | null;
}

const NOTHING: Followed = { match: null, news: '', problem: null };

export function useMatch(id: string | null): Followed {
  const [followed, setFollowed] = useState<Followed>(NOTHING);
  useEffect(() => {
    setFollowed(NOTHING);
    if (id === null) return;
    let here = true;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      try {
        const match = await patiently(
          () => laboratory.match(id),
          () => here,
        );
        if (!here) return;
        setFollowed((before) => ({
          match,
          news: newsOf(match, before.match) || before.news,
          problem: null,
        }));
        if (!isOver(match)) timer = setTimeout(() => void ask(), PAUSE_MS);
      } catch (error) {
        if (here) setFollowed((before) => ({ ...before, problem: (error as Error).message }));
      }
    };
    void ask();
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [id]);
  return followed;
}
