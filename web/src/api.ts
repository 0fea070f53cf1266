// Calls to the server. Every failure is an ApiError whose message can be shown to a person.
import type { Scene, Table } from './table/types';
import type { Analysis, Game, Level, NewGame, Question, Review, Statistics } from './types';

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: no answer came
    readonly code: string,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }

  /// The same request may well succeed in a moment.
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

const BASE = '/api/v1';
const TIMEOUT_MS = 20_000;
const PATIENT_MS = 120_000; // for what we can call off ourselves

export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  end?: AbortSignal,
  secret?: string,
): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), end ? PATIENT_MS : TIMEOUT_MS);
  end?.addEventListener('abort', () => abort.abort());
  try {
    const response = await fetch(BASE + path, {
      method,
      signal: abort.signal,
      cache: 'no-store',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const seconds = Number(response.headers.get('Retry-After') ?? NaN);
    const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : null;
    const answer: unknown = await response.json().catch(() => null);
    if (response.status === 202 && method === 'GET') {
      throw new ApiError(202, 'not_ready', 'Still being computed.', retryAfterMs ?? 500);
    }
    if (!response.ok || answer === null) throw failure(response.status, answer, retryAfterMs);
    return answer as T;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, 'unreachable', 'The server does not answer. Trying again.');
  } finally {
    clearTimeout(timer);
  }
}

function failure(status: number, answer: unknown, retryAfterMs: number | null): ApiError {
  const error = (answer as { error?: { code?: string; message?: string } } | null)?.error;
  const message = error?.message ?? `The server answered with status ${status}.`;
  return new ApiError(status, error?.code ?? 'unknown', message, retryAfterMs);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/// Calls until it works or fails for good; a passing failure waits as long as the server asks.
export async function patiently<T>(
  attempt: () => Promise<T>,
  still: () => boolean = () => true,
): Promise<T> {
  for (let wait = 300; ; wait = Math.min(wait * 2, 8000)) {
    try {
      return await attempt();
    } catch (error) {
      const again = error instanceof ApiError && (error.passing || error.status === 202);
      if (!again || !still()) throw error;
      await pause(error.retryAfterMs ?? wait);
      if (!still()) throw error;
    }
  }
}

export interface SurveyAnswer {
  game?: string;
  feel: string;
  age: string;
}

export const api = {
  levels: () => call<{ levels: Level[] }>('GET', '/levels').then((answer) => answer.levels),
  create: (wish: NewGame) => call<Game>('POST', '/games', wish),
  game: (token: string) => call<Game>('GET', `/games/${token}`),
  move: (token: string, column: number, ply: number) =>
    call<Game>('POST', `/games/${token}/moves`, { column, ply }),
  undo: (token: string) => call<Game>('POST', `/games/${token}/undo`, {}),
  resign: (token: string) => call<Game>('POST', `/games/${token}/resign`, {}),
  restart: (token: string, wish: { human?: string; level?: string }) =>
    call<Game>('POST', `/games/${token}/restart`, wish),
  review: (token: string) => call<Review>('GET', `/games/${token}/review`),
  analysis: (moves: string, end: AbortSignal) =>
    call<Analysis>('GET', `/analysis?moves=${moves}`, undefined, end),
  statistics: () => call<Statistics>('GET', '/statistics'),
  questions: () => call<{ questions: Question[] }>('GET', '/survey').then((a) => a.questions),
  announcement: () => call<{ text: string }>('GET', '/announcement').then((a) => a.text),
  table: (token: string | null) => call<Table>('GET', token ? `/table?token=${token}` : '/table'),
  tableJoin: () => call<{ token: string; table: Table }>('POST', '/table/join'),
  tablePlay: (token: string, column: number, ply: number) =>
    call<Table>('POST', '/table/play', { token, column, ply }),
  tableLeave: (token: string) => call<Table>('POST', '/table/leave', { token }),
  tableOperate: (what: 'stop' | 'resume', secret: string) =>
    call<Table>('POST', `/table/${what}`, undefined, undefined, secret),
  // Asked for by its name, so that the browser may keep it.
  tableScene: (name: string): Promise<Scene> =>
    fetch(`${BASE}/table/scene?name=${name}`).then((response) => {
      if (!response.ok) throw new ApiError(response.status, 'unknown', 'The scene did not come.');
      return response.json() as Promise<Scene>;
    }),
  answer: (answer: SurveyAnswer) => call<unknown>('POST', '/survey', answer),
};

export type Api = typeof api;

const known = new Map<string, Analysis>();

/// Exact values never change, so each position is asked for once. Calling it off frees the server's
/// solver for others: the early positions can take it a while.
export async function analysisOf(moves: string, end: AbortSignal): Promise<Analysis> {
  const before = known.get(moves);
  if (before) return before;
  const answer = await patiently(
    () => api.analysis(moves, end),
    () => !end.aborted,
  );
  known.set(moves, answer);
  return answer;
}
