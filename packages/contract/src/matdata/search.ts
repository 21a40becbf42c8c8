/** The three searches of the materials page (spec §7.3). They share request limits and the positional row. */
import { fieldOf, SEARCH_ROW, type SearchRow } from '@unitcell/material';
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
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import { answered } from '../material/result-schemas.ts';
import { energyScale, functional, completenessOfRows } from '../phase-diagram/fields.ts';

// Lists on a material's page: its windows, its polymorphs, its chemical system, similar crystals.

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
      unit('eV/atom', 'Energy above the hull on the scale of the answer; null if it has no energy there.'),
    ),
});

const alike = related.extend({
  distance: z
    .number()
    .describe('Distance of the two arrangements of atoms: 0 (the same distances up to scale) to 1.'),
});

const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    count: z
      .int()
      .describe('Total number, including those beyond the rows; for `similar` the number of rows.'),
    rows: z.array(row).describe('The first rows, at most eight.'),
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
              'Voltage above which it is oxidised, against the metal of the ion; null: no upper limit.',
            ),
          ),
      }),
    )
    .describe('Electrochemical windows, one per working ion with a window.'),
  polymorphs: listOf(related).describe('Other crystals of the same formula, nearest to the hull first.'),
  same_system: listOf(related).describe(
    'Materials of exactly the same elements with other formulas, nearest to the hull first.',
  ),
  prototype: z
    .string()
    .nullable()
    .describe('Space group and occupied Wyckoff positions: `225:a4 b4`; null if not derived.'),
  same_prototype: listOf(alike).describe(
    'Crystals of the same prototype (equal key, distance at most 0.4), nearest arrangement first.',
  ),
  similar: listOf(alike).describe(
    'Crystals of other prototypes with a similar arrangement of atoms, nearest first.',
  ),
});
export type RelatedMaterials = z.infer<typeof relatedMaterials>;
export type RelatedMaterial = z.infer<typeof related> & Partial<z.infer<typeof alike>>;

export const getRelated = defineCall(address.getRelated, {
  summary: 'Windows, polymorphs, chemical system, prototype and similar structures of a material',
  request: z.object({ struct_id: structId }),
  answer: relatedMaterials,
  faults: ['material.not-found'],
});

/** Limit of rows sent; `len` gives the total, and `message` reports that rows were cut. */
export const MAX_SEARCH_ROWS = 10_000;

/** Limit of characters in a search text. Longer texts are refused with a message, not as a contract error. */
export const MAX_SEARCH_TEXT = 200;

/**
 * A result as a list of values. The API gives the positions no names; the OpenAPI document uses the names of
 * the columns.
 */
function searchRowSchema(): z.ZodType<SearchRow, SearchRow>;
function searchRowSchema(): z.ZodType {
  const [first, ...others] = SEARCH_ROW;
  const positioned = (name: (typeof SEARCH_ROW)[number]): z.ZodType =>
    answered(name).meta({ title: fieldOf(name).row?.name });
  return z.tuple([positioned(first), ...others.map(positioned)]);
}

export const materialRow = searchRowSchema();
export type MaterialRow = z.infer<typeof materialRow>;

/**
 * All formation energies and energies above the hull of an answer are on one scale; they are null for materials
 * without energies on this scale.
 */
const searchRequest = z.object({
  include: z.string().max(20_000).describe('The search text; the summary of the call describes its form.'),
  functional,
});

const searchResponse = outcome.extend({
  ...energyScale.shape,
  results: z.array(materialRow).describe('The results in order; each position of a row is described below.'),
  len: z.int().describe('Total number of matches; at most 10,000 of them are sent.'),
  completeness: completenessOfRows,
});

export const searchByElements = defineCall(address.searchByElements, {
  summary: 'Materials with exactly these elements (`Ti-O`), or at least these (`Ti-O-*`)',
  request: searchRequest,
  answer: searchResponse,
  refusals: [...ELEMENT_SEARCH, 'phase.unknown-scale'],
});

export const searchByFormula = defineCall(address.searchByFormula, {
  summary: 'Materials of one reduced formula, in any notation; empty means `Li(CoO2)2`',
  request: searchRequest,
  answer: searchResponse.extend({
    formula,
  }),
  refusals: [...FORMULA_SEARCH, 'phase.unknown-scale'],
});

export const searchByStructId = defineCall(address.searchByStructId, {
  summary: 'The material with this id, with or without leading zeros',
  request: z.object({
    include: z
      .union([z.string().max(20_000), z.number()])
      .describe('The search text; the summary of the call describes its form.'),
    functional,
  }),
  answer: searchResponse,
  refusals: [...ID_SEARCH, 'phase.unknown-scale'],
});
