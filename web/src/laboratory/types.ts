// What the server says about the laboratory (docs/openapi.json).

export interface LabAgent {
  text: string;
  title: string;
  help: string;
}

export interface MatchWish {
  a: string;
  b: string;
  games: number;
  seed: number;
  openings: number;
}

/// As `rowbot match --json` prints it; all from A's point of view.
export interface MatchResult {
  a: string;
  b: string;
  games: number; // played so far
  a_wins: number;
  b_wins: number;
  draws: number;
  a_score: number;
  a_score_low: number;
  a_score_high: number;
  elo: number;
  elo_error: number;
}

export interface LastGame {
  number: number; // 1 is the first
  moves: string;
  first: 'a' | 'b';
  winner: 'a' | 'b' | 'draw';
  note: string;
}

export interface Match {
  match: string;
  state: 'waiting' | 'playing' | 'finished' | 'stopped' | 'out_of_time' | 'failed';
  ahead: number;
  games: number; // in all
  seed: number;
  openings: number;
  milliseconds: number;
  result: MatchResult;
  last: LastGame | null;
  problem: string | null;
}

export interface Point {
  label: string;
  y: number;
  low?: number;
  high?: number;
  paper?: number;
}

export interface Series {
  name: string;
  points: Point[];
}

export interface Chart {
  title: string;
  x_title: string;
  y_title: string;
  kind: 'bars' | 'lines' | 'ranking';
  y_low?: number;
  y_high?: number;
  series: Series[];
}

export interface Cell {
  text: string;
  shade?: number; // 0 lost, 1 won
}

export interface Table {
  caption: string;
  header: string[];
  rows: Cell[][];
}

export interface Report {
  name: string;
  title: string;
  source: string;
  paper_says: string;
  findings: string[];
  setting: [string, string][];
  differences: string[];
  charts: Chart[];
  tables: Table[];
}

export interface Experiment {
  name: string;
  title: string;
  source: string;
  command: string;
  report: Report | null;
  problem: string | null;
}
