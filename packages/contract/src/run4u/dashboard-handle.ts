import { z } from 'zod';
import { defineCall } from '../define-call.ts';
import { structureJson } from '../material/result-schemas.ts';
import {
  calculationService,
  submissionQuota,
  submissionRow,
  uploadedLattice,
  uploadedSymmetry,
} from './fields.ts';

/** What the page shows of an account: its submissions, newest first, and the structure of the newest. */
export const dashboard = z.object({
  user_data: z.object({
    /** Of the newest submission; empty and null when there is none. */
    script: z.string(),
    lattice: uploadedLattice.nullable(),
    symmetry: uploadedSymmetry.nullable(),
    formula: z.string(),
    structure: structureJson.nullable(),
    history: z.array(submissionRow),
  }),
  quota: submissionQuota,
  service: calculationService,
});
export type Dashboard = z.infer<typeof dashboard>;

export const dashboardHandle = defineCall({
  name: 'dashboardHandle',
  group: 'run4u',
  method: 'POST',
  path: '/api/run4u/dashboard_handle/',
  summary: 'The submissions of the account with their state, and what is left of today’s quota',
  access: 'user',
  body: 'json',
  request: z.object({}),
  answer: dashboard,
  refusals: [],
});

/** Server-sent events: `event: dashboard` with the JSON of {@link dashboard} as data, at once and after every change. */
export const watchSubmissions = defineCall({
  name: 'watchSubmissions',
  group: 'run4u',
  method: 'GET',
  path: '/api/run4u/events/',
  summary: 'The dashboard as server-sent events, at once and after every change',
  access: 'user',
  body: 'none',
  request: z.object({}).optional(),
  answer: z.string(),
  refusals: [],
  answerType: 'text/event-stream',
});
