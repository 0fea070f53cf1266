// Names for parts of the API's answers. schema.ts is generated from docs/openapi.json: npm run types.
import type {
  Evidence,
  Game,
  Levels,
  NewGame as NewGameBody,
  Review,
  Statistics,
  SurveyQuestions,
} from './schema';

export type { Analysis, Evidence, Game, Review, Statistics } from './schema';

export type Player = Game['first'];
export type EvidenceMove = Evidence['moves'][number];
export type Level = Levels['levels'][number];
/** The server may guess who plays; the page always says it. */
export type NewGame = NewGameBody & Required<Pick<NewGameBody, 'human'>>;
export type ReviewMove = Review['moves'][number];
export type Question = SurveyQuestions['questions'][number];
export type LevelStatistics = Statistics['levels'][number];
export type Share = Statistics['survey']['feel'][number];
