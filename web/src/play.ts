// The hooks behind the play page: a session for the address's token, and exact values on request.
import { useEffect, useRef, useState } from 'preact/hooks';
import { analysisOf, api, patiently } from './api';
import { go } from './router';
import { GameSession, type SessionState } from './session';
import { change, settings } from './settings';
import type { Analysis, Game, NewGame } from './types';

const NOTHING: SessionState = {
  game: null,
  pending: [],
  link: 'connecting',
  problem: null,
  gone: false,
};

/// A game just made, on its way to the page that shows it, with the move that began it.
let handover: { game: Game; column: number | null } | null = null;

export interface Play {
  state: SessionState;
  opening: number | null; // the first move, while its game is being made
  session: GameSession | null;
  start: (wish: NewGame, column?: number) => Promise<void>;
  restart: () => Promise<void>;
}

export function usePlay(token: string | null): Play {
  const [state, setState] = useState(NOTHING);
  const [opening, setOpening] = useState<number | null>(null);
  const session = useRef<GameSession | null>(null);

  useEffect(() => {
    if (!token) {
      setState(NOTHING);
      return;
    }
    const handed = handover?.game.game === token ? handover : null;
    handover = null;
    if (!handed) setState(NOTHING);
    const mine = new GameSession(token, api, (next) => {
      setState(next);
      remember(token, next);
    });
    session.current = mine;
    mine.open(handed?.game);
    if (handed?.column) void mine.play(handed.column);
    setOpening(null);
    const hurry = () => mine.hurry();
    addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    return () => {
      removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      mine.close();
      session.current = null;
    };
  }, [token]);

  const moveTo = async (make: () => Promise<Game>, column: number | null) => {
    try {
      const report = (error: unknown) => {
        setState((old) => ({ ...old, problem: (error as Error).message }));
        throw error;
      };
      const game = await patiently(() => make().catch(report));
      handover = { game, column };
      go(`/g/${game.game}`); // Back leads to where the game was begun
    } catch {
      setOpening(null); // the message is on the page
    }
  };

  const start = (wish: NewGame, column?: number) => {
    setOpening(column ?? null);
    return moveTo(() => api.create(wish), column ?? null);
  };
  const restart = () => moveTo(() => api.restart(token!, {}), null);
  return { state, opening, session: session.current, start, restart };
}

/// The browser keeps the way back to an unfinished game, and the link for the friend.
function remember(token: string, { game, gone }: SessionState): void {
  const { lastGame, guests } = settings();
  const ended = gone || game?.turn === null;
  if (ended && lastGame === token) change({ lastGame: null });
  if (ended || !game || game.you === 'none') return;
  if (lastGame !== token) change({ lastGame: token });
  if (game.guest && guests[token] !== game.guest) {
    change({ guests: { ...guests, [token]: game.guest } });
  }
}

/// Exact values of a position, or null while they are unknown or unwanted.
export function useAnalysis(moves: string, wanted: boolean): Analysis | null {
  const [answer, setAnswer] = useState<Analysis | null>(null);
  useEffect(() => {
    if (!wanted) return;
    const end = new AbortController();
    analysisOf(moves, end.signal).then(
      (analysis) => !end.signal.aborted && setAnswer(analysis),
      () => {},
    );
    return () => end.abort();
  }, [moves, wanted]);
  return wanted && answer?.moves === moves ? answer : null;
}
