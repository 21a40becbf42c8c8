/** The three searches of the materials page (spec §7.3). They share request limits and the positional row. */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { examples } from './search.examples.ts';

/** More rows than this are not sent; `len` still says how many there are and `message` that they were cut. */
export const MAX_SEARCH_ROWS = 10_000;

/** Characters a search text may have. Longer ones are refused in words, not as a contract error. */
export const MAX_SEARCH_TEXT = 200;

/** Names of the positions of a search row, in order. Energies in eV/atom, gap and Fermi energy in eV. */
export const MATERIAL_ROW_FIELDS = [
  'struct_id',
  'formula',
  'space_group',
  'form_energy',
  'e_above_hull',
  'band_gap',
  'nsites',
  'efermi',
  'crystal_system',
  'lattice_type',
  'has_band',
  'is_hubbard',
  'has_hse',
  'has_epsilon',
  'has_piezo',
  'has_elastic',
] as const;

const energy = z.number().nullable();

export const materialRow = z.tuple([
  z.int(),
  z.string(),
  z.string(),
  energy,
  energy,
  energy,
  z.int(),
  energy,
  z.string(),
  z.string(),
  z.boolean(),
  z.boolean(),
  z.boolean(),
  z.boolean(),
  z.boolean(),
  z.boolean(),
]);
export type MaterialRow = z.infer<typeof materialRow>;

const searchRequest = z.object({ include: z.string().max(20_000) });

const searchResponse = outcome.extend({
  results: z.array(materialRow),
  /** True number of matches, which may exceed `results.length`. */
  len: z.int(),
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
  response: searchResponse,
  example: examples.searchByElements,
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
  response: searchResponse.extend({ formula: z.string() }),
  example: examples.searchByFormula,
});

export const searchByStructId = defineCall({
  name: 'searchByStructId',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/search_by_struct_id/',
  summary: 'The material with this id, with or without leading zeros',
  access: 'user',
  body: 'json',
  request: z.object({ include: z.union([z.string().max(20_000), z.number()]) }),
  response: searchResponse,
  example: examples.searchByStructId,
});
