/** The three searches of the materials page (spec §7.3). They share request limits and the positional row. */
import { z } from 'zod';
import {
  ELEMENT_SEARCH,
  formula,
  FORMULA_SEARCH,
  ID_SEARCH,
  materialId,
  outcome,
  spaceGroup,
  structId,
} from '../common.ts';
import { defineCall } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import { searchRowSchema } from '../material/result-schemas.ts';
import { energyScale, functional, listCompleteness } from '../phase-diagram/fields.ts';

// Links from a material: its windows, its polymorphs, its chemical system, similar crystals.

/** Limit of rows per list; `count` gives the total. */
export const MOST_RELATED = 8;

const related = z.object({
  struct_id: materialId,
  formula,
  space_group: spaceGroup,
  e_above_hull: z
    .number()
    .nullable()
    .meta(
      unit('eV/atom', 'Energy above the hull on the scale of the answer; null where it has no energy there.'),
    ),
});

const alike = related.extend({
  distance: z
    .number()
    .describe('Distance of the two arrangements of atoms: 0 (the same distances up to size) to 1.'),
});

const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    count: z.int().describe('How many there are, also beyond the rows; of `similar`: how many rows.'),
    rows: z.array(row).describe('The first of them, at most eight.'),
  });

export const relatedMaterials = z.object({
  functional: z
    .string()
    .nullable()
    .describe('Scale of the energies and windows; null for a material without energies.'),
  windows: z
    .array(
      z.object({
        working_ion: z.string().describe('Symbol of the working ion.'),
        reduction_onset: z
          .number()
          .meta(unit('V', 'Voltage below which the material is reduced, against the metal of the ion.')),
        oxidation_onset: z
          .number()
          .nullable()
          .meta(
            unit(
              'V',
              'Voltage above which it is oxidised, against the metal of the ion; null: no upper end.',
            ),
          ),
      }),
    )
    .describe('Electrochemical windows, one per working ion there is one for.'),
  polymorphs: listOf(related).describe('Other crystals of its formula, nearest to the hull first.'),
  same_system: listOf(related).describe(
    'Materials of its elements and no others but of other formulas, nearest to the hull first.',
  ),
  prototype: z
    .string()
    .nullable()
    .describe('Space group and occupied Wyckoff positions: `225:a4 b4`; null where it was not derived.'),
  same_prototype: listOf(alike).describe('Crystals of its prototype, nearest arrangement first.'),
  similar: listOf(alike).describe(
    'Crystals of other prototypes with a similar arrangement of atoms, nearest first.',
  ),
});
export type RelatedMaterials = z.infer<typeof relatedMaterials>;
export type RelatedMaterial = z.infer<typeof related> & Partial<z.infer<typeof alike>>;

export const getRelated = defineCall({
  name: 'getRelated',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/get_related/',
  summary: 'Windows, polymorphs, chemical system, prototype and similar structures of a material',
  access: 'user',
  body: 'json',
  request: z.object({ struct_id: structId }),
  answer: relatedMaterials,
  refusals: [],
  faults: ['material.not-found'],
});

/** Limit of rows sent; `len` gives the total and `message` says that rows were cut. */
export const MAX_SEARCH_ROWS = 10_000;

/** Limit of characters in a search text. Longer ones are refused with a message, not as a contract error. */
export const MAX_SEARCH_TEXT = 200;

export const materialRow = searchRowSchema();
export type MaterialRow = z.infer<typeof materialRow>;

/**
 * Formation energies and energies above the hull of one answer are on one scale: null if a material has none
 * on it.
 */
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
