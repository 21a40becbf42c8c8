/** The three searches of the materials page (spec §7.3). They share request limits and the positional row. */
import { z } from 'zod';
import { formula, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { searchRowSchema } from '../material/field-schemas.ts';
import { energyScale, functional, listCompleteness } from '../phase-diagram/fields.ts';
import { ELEMENT_SEARCH, FORMULA_SEARCH, ID_SEARCH } from '../refusals.ts';

/** More rows than this are not sent; `len` still says how many there are and `message` that they were cut. */
export const MAX_SEARCH_ROWS = 10_000;

/** Characters a search text may have. Longer ones are refused in words, not as a contract error. */
export const MAX_SEARCH_TEXT = 200;

export const materialRow = searchRowSchema();
export type MaterialRow = z.infer<typeof materialRow>;

/** Formation energies and energies above the hull of one answer stand on one scale: null where it has none of a material. */
const searchRequest = z.object({
  include: z
    .string()
    .max(20_000)
    .describe('What is searched for; the summary of the call says how it is written.'),
  functional,
});

const searchResponse = outcome.extend({
  ...energyScale.shape,
  results: z
    .array(materialRow)
    .describe('What was found, in the order of the answer; each position of a row is described below.'),
  len: z.int().describe('True number of matches; at most 10,000 of them are sent.'),
  completeness: listCompleteness
    .optional()
    .describe(
      'Chemical systems that lack compounds: energies above the hull of their rows are lower bounds.',
    ),
});

export const searchByElements = defineCall({
  name: 'searchByElements',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/search_by_elements/',
  summary: 'Materials of exactly these elements (`Ti-O`), or of at least these (`Ti-O-*`)',
  access: 'user',
  body: 'json',
  request: searchRequest,
  answer: searchResponse,
  refusals: [...ELEMENT_SEARCH, 'phase.unknown-scale'],
});

export const searchByFormula = defineCall({
  name: 'searchByFormula',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/search_by_formula/',
  summary: 'Materials of one reduced formula, however it is written; empty means `Li(CoO2)2`',
  access: 'user',
  body: 'json',
  request: searchRequest,
  answer: searchResponse.extend({
    formula,
  }),
  refusals: [...FORMULA_SEARCH, 'phase.unknown-scale'],
});

export const searchByStructId = defineCall({
  name: 'searchByStructId',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/search_by_struct_id/',
  summary: 'The material with this id, with or without leading zeros',
  access: 'user',
  body: 'json',
  request: z.object({
    include: z
      .union([z.string().max(20_000), z.number()])
      .describe('What is searched for; the summary of the call says how it is written.'),
    functional,
  }),
  answer: searchResponse,
  refusals: [...ID_SEARCH, 'phase.unknown-scale'],
});
