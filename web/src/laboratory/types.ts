// Names for the laboratory's part of the API.
import type {
  LabAgents,
  LabChart,
  LabExperiments,
  LabMatch,
  LabTable,
  NewLabMatch,
} from '../schema';

export type {
  LabChart as Chart,
  LabMatch as Match,
  LabReport as Report,
  LabResult as MatchResult,
  LabTable as Table,
} from '../schema';

export type LabAgent = LabAgents['agents'][number];
export type MatchWish = Required<NewLabMatch>;
export type LastGame = NonNullable<LabMatch['last']>;
export type Series = LabChart['series'][number];
export type Point = Series['points'][number];
export type Cell = LabTable['rows'][number][number];
export type Experiment = LabExperiments['experiments'][number];
