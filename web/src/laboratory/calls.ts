// Calls to the server's laboratory.
import { call } from '../api';
import type { Experiment, LabAgent, Match, MatchWish } from './types';

export const laboratory = {
  agents: () => call<{ agents: LabAgent[] }>('GET', '/lab/agents').then((a) => a.agents),
  start: (wish: MatchWish) => call<Match>('POST', '/lab/matches', wish),
  match: (id: string) => call<Match>('GET', `/lab/matches/${id}`),
  stop: (id: string) => call<Match>('DELETE', `/lab/matches/${id}`),
  experiments: () =>
    call<{ experiments: Experiment[] }>('GET', '/lab/experiments').then((a) => a.experiments),
};
