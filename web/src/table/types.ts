// Names for the table's part of the API.
import type { Poses, Scene, Table } from '../schema';

export type { Poses, Scene, Table } from '../schema';

/** What the WebSocket of the table sends. */
export interface TableNews {
  table: Table;
  poses: Poses | null;
}

export type Place = Scene['bodies'][number]['place'];
export type Shape = Scene['piece']['shape'];
