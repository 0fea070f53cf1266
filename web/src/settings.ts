// What this browser remembers: wishes about the display, and the last game. Nothing leaves it.
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'auto' | 'light' | 'dark';

export interface Settings {
  theme: Theme;
  hints: boolean;
  scores: boolean;
  thoughts: boolean;
  level: string;
  lastGame: string | null; // token of an unfinished game
  guests: Record<string, string>; // token of a game made here -> token for the friend's link
}

const KEY = 'rowbot';
const DEFAULTS: Settings = {
  theme: 'auto',
  hints: false,
  scores: false,
  thoughts: false,
  level: 'easy',
  lastGame: null,
  guests: {},
};

/// Anything may stand in the storage: only fields of the right kind are taken over.
export function settingsFrom(text: string | null): Settings {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return DEFAULTS;
  }
  if (typeof stored !== 'object' || stored === null) return DEFAULTS;
  const s = stored as Partial<Record<keyof Settings, unknown>>;
  const flag = (value: unknown, otherwise: boolean) =>
    typeof value === 'boolean' ? value : otherwise;
  const guests = typeof s.guests === 'object' && s.guests !== null ? s.guests : {};
  return {
    theme: s.theme === 'light' || s.theme === 'dark' ? s.theme : 'auto',
    hints: flag(s.hints, DEFAULTS.hints),
    scores: flag(s.scores, DEFAULTS.scores),
    thoughts: flag(s.thoughts, DEFAULTS.thoughts),
    level: typeof s.level === 'string' ? s.level : DEFAULTS.level,
    lastGame: typeof s.lastGame === 'string' ? s.lastGame : null,
    guests: Object.fromEntries(
      Object.entries(guests)
        .filter(([, token]) => typeof token === 'string')
        .slice(-20),
    ) as Record<string, string>,
  };
}

function load(): Settings {
  try {
    return settingsFrom(localStorage.getItem(KEY));
  } catch {
    return DEFAULTS; // storage is forbidden here: the page works without memory
  }
}

let current: Settings | null = null;
const listeners = new Set<() => void>();

export function settings(): Settings {
  current ??= load();
  return current;
}

export function change(part: Partial<Settings>): void {
  current = { ...settings(), ...part };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Forbidden or full: the wish holds until the page is closed.
  }
  if (part.theme) applyTheme();
  for (const listener of listeners) listener();
}

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)');

export function applyTheme(): void {
  const { theme } = settings();
  const dark = theme === 'dark' || (theme === 'auto' && prefersDark().matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

export function followSystemTheme(): void {
  applyTheme();
  prefersDark().addEventListener('change', applyTheme);
}

export function useSettings(): Settings {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((n) => n + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return settings();
}
