// What the server says about the robot's table (docs/openapi.json).
import type { Side } from '../rules';

export interface Table {
  robot: string;
  agent: string;
  state:
    | 'preparing'
    | 'clearing'
    | 'waiting'
    | 'thinking'
    | 'moving'
    | 'verifying'
    | 'foul'
    | 'blind'
    | 'asking'
    | 'needs_help'
    | 'stopped'
    | 'over'
    | 'broken';
  message: string; // the robot's own words to the visitor
  request: string; // what it would like somebody to do; 'play' for a move
  game: number;
  moves: string;
  human: Side;
  turn: Side | null;
  result: Side | 'draw' | null;
  target: number | null; // the column the arm is about to serve
  scene: string | null; // name of the scene; null until it is known
  camera: number; // grows with each picture; 0: none yet
  visitor: boolean; // somebody sits at the table
  waiting: number;
  watchers: number;
  seconds_left: number | null; // of the visitor's time for a move
  place: number | null; // ours in the queue: 0 is at the table
}

/// x y z in tenths of a millimetre, then a quaternion w x y z in ten-thousandths.
export type Place = number[];

export interface Poses {
  time: number;
  bodies: Place[]; // of the bodies that move, in the scene's order
  pieces: number[][]; // number of the piece, then its place; pieces in the store are missing
}

export interface TableNews {
  table: Table;
  poses: Poses | null;
}

export type Shape = 'plane' | 'sphere' | 'capsule' | 'cylinder' | 'box' | 'mesh';

export interface Scene {
  meshes: { vertices: number[]; faces: number[] }[];
  bodies: { name: string; moves: boolean; place: Place }[];
  geoms: {
    body: number;
    shape: Shape;
    size: number[];
    rgba: number[];
    place: Place;
    mesh: number | null;
  }[];
  piece: { shape: Shape; size: number[]; robot: number[]; human: number[]; robots: number };
  look_at: number[];
  look_from: number[];
}
