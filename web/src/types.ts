// What the server says: version 1 of its JSON API (docs/openapi.json).
import type { Cell, Side } from './rules';

export interface Player {
  type: 'human' | 'agent';
  name: string;
}

export interface EvidenceMove {
  column: number;
  visits: number | null;
  value: number | null; // -1..1 for the mover
  proven: 'win' | 'loss' | 'draw' | null;
  plies: number | null;
}

export interface Evidence {
  ply: number;
  column: number;
  simulations: number | null;
  nodes: number | null;
  depth: number | null;
  milliseconds: number | null;
  moves: EvidenceMove[];
}

export interface Game {
  game: string;
  kind: 'human-agent' | 'human-human' | 'agent-agent';
  level: string | null;
  first: Player;
  second: Player;
  you: Side | 'both' | 'none';
  moves: string;
  turn: Side | null;
  thinking: boolean;
  result: Side | 'draw' | null;
  reason: string | null;
  winning: Cell[];
  evidence: Evidence | null;
  guest: string | null;
  can_undo: boolean;
  created: string;
  version: number;
}

export interface Level {
  name: string;
  title: string;
  help: string;
  minimum_ms: number;
}

export interface NewGame {
  level?: string;
  human: 'first' | 'second' | 'both' | 'link' | 'none';
  first?: string;
  second?: string;
  moves?: string;
}

export interface Analysis {
  moves: string;
  score: number;
  scores: (number | null)[];
  best: number[];
  result: Side | 'draw' | null;
  plies: number | null;
  text: string;
  pv: string;
}

export interface ReviewMove {
  ply: number; // 1 is the first move
  column: number;
  score: number; // of the move played, for its mover
  best: number[];
  best_score: number;
  kept: boolean;
  text: string;
}

export interface Review {
  moves: ReviewMove[];
  turning_point: number | null;
  summary: string;
}

export interface Question {
  name: 'feel' | 'age';
  question: string;
  choices: { key: string; label: string }[];
}

export interface LevelStatistics {
  level: string;
  games: number;
  human_wins: number;
  agent_wins: number;
  draws: number;
  human_rate: number;
  low: number;
  high: number;
  paper: { human: number; agent: number; draw: number } | null;
}

export interface Share {
  key: string;
  label: string;
  count: number;
  share: number;
  low: number;
  high: number;
  paper: number | null;
}

export interface Statistics {
  games: number;
  levels: LevelStatistics[];
  survey: { answers: number; feel: Share[]; ages: Share[] };
}
