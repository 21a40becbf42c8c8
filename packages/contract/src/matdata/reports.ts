/** Reports of problems with a material's entry, from readers to the administrators of the site. */
import { z } from 'zod';
import { materialId, outcome, rowId, structId } from '../common.ts';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { LONGEST_REPORT, SHORTEST_REPORT } from './rules.ts';

const message = z.string().describe('What is wrong, and how the reporter knows.');
const time = z.string().describe('Time, ISO 8601.');

export const entryReport = z.object({
  id: rowId.describe('Id of the report.'),
  struct_id: materialId,
  message,
  created_at: time,
  answer: z.string().nullable().describe('Answer of the administrators; null: open.'),
  answered_at: time.nullable().describe('Time of the answer, ISO 8601; null: open.'),
});
export type EntryReport = z.infer<typeof entryReport>;

export const reportEntry = defineCall(address.reportEntry, {
  summary:
    'Reports a problem with an entry to the administrators; visitors without an account give an e-mail address',
  access: 'public',
  knowsMembers: true,
  request: z.object({
    struct_id: structId,
    message: message.trim().min(SHORTEST_REPORT).max(LONGEST_REPORT),
    email: z
      .string()
      .trim()
      .max(200)
      .regex(/^$|^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'an e-mail address such as name@example.org')
      .default('')
      .describe('Where the administrators can ask back; deleted 90 days after the answer.'),
  }),
  answer: outcome.extend({ report: entryReport }),
  refusals: ['report.no-contact'],
  faults: ['material.not-found'],
});

export const listReports = defineCall(address.listReports, {
  summary: 'Your own reports of problems with an entry, newest first, with their answers',
  request: z.object({ struct_id: structId }),
  answer: outcome.extend({ reports: z.array(entryReport) }),
});
