/** Screening: the whole catalogue by a filter, sorted by any column, with counts of what would remain. */
import { type ColumnValues, FIELD_NAMES } from '@unitcell/material';
import { z } from 'zod';
import { MAX_ID, outcome, rowId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { energyScale, listCompleteness } from '../phase-diagram/fields.ts';
import { FILTER } from '../refusals.ts';

/** Rows of one answer. */
export const MAX_SCREEN_ROWS = 1000;

/** A column, or a number calculated from columns, in square brackets: `[bulk_modulus / density]`. */
const name = z.string().max(200);

const units = z
  .record(z.string(), z.string())
  .optional()
  .describe('What the numbers of calculated columns are in, by their names; absent where none is asked for.');
/** More names than there are to ask for are a mistake; every scalar of a material is one. */
const MOST_NAMES = 2 * FIELD_NAMES.length;

const screenRequest = z.object({
  /** In the filter language of OPTIMADE 1.2 with the names of our columns, or its tree; empty lets everything pass. */
  filter: z.union([z.string().max(20_000), z.record(z.string(), z.unknown())]).optional(),
  /** Energy scale of formation energies and energies above the hull; the site's own when absent. */
  scale: z.string().max(200).optional(),
  /** A column, with a hyphen in front for the falling order; unknown values come last both ways. */
  sort: name.optional(),
  /** Columns of the rows, those of the searches when absent. */
  fields: z.array(name).max(MOST_NAMES).optional(),
  /** Columns to count values of. */
  facets: z.array(name).max(MOST_NAMES).optional(),
  limit: z.int().min(0).max(MAX_SCREEN_ROWS).optional(),
  offset: z.int().nonnegative().max(MAX_ID).optional(),
  /** `next` of the answer before, with the same filter, scale and sort. */
  cursor: z.string().max(400).optional(),
});
export type ScreenRequest = z.output<typeof screenRequest>;

/** Materials by number, in the order they are wanted. */
const ids = z.array(rowId).max(MAX_SCREEN_ROWS);

/** All that passes, in one file. */
const downloadRequest = screenRequest.pick({ filter: true, scale: true, sort: true }).extend({
  /** These materials instead of what a filter finds. */
  ids: ids.optional(),
  calculated: z
    .array(name.startsWith('['))
    .max(20)
    .optional()
    .describe('Expressions in square brackets, as further columns of CSV and JSON Lines.'),
  /**
   * Every column with its source; the same as objects, one a line; conventional cells, one data block each; archives
   * (tar, gzip) of a CIF or POSCAR file a material, with a list of their sources and licences.
   */
  format: z.enum(['csv', 'jsonl', 'cif', 'cif.tar.gz', 'poscar.tar.gz']),
});

const count = z.int().nonnegative();

/** Materials that hold an element, those of them with a value, and the middle of the values. */
const elementStatistic = z.object({ count, known: count, median: z.number().nullable() });
export type ElementStatistic = z.infer<typeof elementStatistic>;

/**
 * Counts over the rows that pass every condition but those on this field alone, so that one choice does not hide the
 * others; the counts, `others` and `missing` (no value) add up to `total`.
 */
const facet = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('histogram'),
    /** Bin i holds values from `from + i · step` on; what lies outside counts in the outermost. */
    from: z.number(),
    step: z.number(),
    counts: z.array(count),
    missing: count,
    total: count,
  }),
  z.object({
    kind: z.literal('values'),
    /** Most frequent first. */
    values: z.array(z.object({ value: z.union([z.string(), z.boolean()]), count })),
    /** Rows of less frequent values. */
    others: count,
    missing: count,
    total: count,
  }),
  /** Rows of the result that hold each element. */
  z.object({ kind: z.literal('elements'), counts: z.record(z.string(), count), total: count }),
]);
export type Facet = z.infer<typeof facet>;

/** A row by the names of its columns, in their units; other columns than those of a material are of any type. */
export type ScreenedMaterial = Partial<Omit<ColumnValues, 'energy'>> & Readonly<Record<string, unknown>>;

export const screenMaterials = defineCall({
  name: 'screenMaterials',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/screen/',
  summary:
    'Materials by what they are and can do: `elements HAS "O" AND band_gap >= 2`, sorted, counted, page by page',
  access: 'user',
  body: 'json',
  request: screenRequest
    .refine(
      ({ cursor, offset }) => cursor === undefined || offset === undefined,
      'either cursor or offset, not both',
    )
    .meta({ not: { required: ['cursor', 'offset'] } }),
  answer: outcome.extend({
    /** The filter as it was understood. */
    filter: z.string(),
    scale: energyScale,
    /** The last rebuild of derived data the answer stands on. */
    release: z.int(),
    /** Materials of the whole catalogue. */
    catalogue: count,
    /** Materials that pass. */
    total: count,
    fields: z.array(z.string()),
    /** Values in the order of `fields`. */
    rows: z.array(z.array(z.unknown())),
    units,
    /** Energies above the hull of rows whose chemical system lacks compounds are lower bounds. */
    completeness: listCompleteness.optional(),
    /** Cursor of the next page; null behind the last. */
    next: z.string().nullable(),
    facets: z.record(z.string(), facet),
    /** Conditions by the fields they are on, and how many materials would pass without them. */
    conditions: z.array(z.object({ filter: z.string(), without: count })),
  }),
  refusals: FILTER,
  faults: ['server.too-costly'],
});

export const downloadScreened = defineCall({
  name: 'downloadScreened',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/screen/download/',
  summary:
    'All materials a filter finds, as CSV, JSON Lines, CIF or an archive of CIF or POSCAR files, written while they are sent',
  access: 'user',
  body: 'json',
  request: downloadRequest
    .refine(
      ({ ids: some, filter }) => some === undefined || filter === undefined,
      'either ids or filter, not both',
    )
    .meta({ not: { required: ['ids', 'filter'] } }),
  answer: z.string(),
  answerType: ['text/csv', 'application/x-ndjson', 'chemical/x-cif', 'application/gzip'],
  refusals: FILTER,
  faults: ['server.too-costly'],
});

export const screenPoints = defineCall({
  name: 'screenPoints',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/screen/points/',
  summary:
    'Two numbers of every material a filter finds, and a third to colour by, for a plot of all of them',
  access: 'user',
  body: 'json',
  request: screenRequest
    .pick({ filter: true, scale: true })
    .extend({ x: name, y: name, color: name.optional() }),
  answer: outcome.extend({
    /** Materials that pass; those without one of the two numbers are not among the points. */
    total: count,
    x: z.array(z.number()),
    y: z.array(z.number()),
    /** null where it is unknown, or as a whole when nothing is coloured by. */
    color: z.array(z.number().nullable()).nullable(),
  }),
  refusals: FILTER,
  faults: ['server.too-costly'],
});

export const screenElements = defineCall({
  name: 'screenElements',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/screen/elements/',
  summary: 'A number of the materials a filter finds, over the periodic table: count and median by element',
  access: 'user',
  body: 'json',
  request: screenRequest.pick({ filter: true, scale: true }).extend({ field: name.optional() }),
  answer: outcome.extend({
    /** Materials that pass. */
    total: count,
    /** Elements of none are left out. */
    elements: z.record(z.string(), elementStatistic),
  }),
  refusals: FILTER,
  faults: ['server.too-costly'],
});

export const materialRows = defineCall({
  name: 'materialRows',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/screen/rows/',
  summary:
    'Columns of some materials by their numbers, in the order of the numbers; what is gone is left out',
  access: 'user',
  body: 'json',
  request: screenRequest.pick({ scale: true, fields: true }).extend({ ids }),
  answer: outcome.extend({
    scale: energyScale,
    release: z.int(),
    fields: z.array(z.string()),
    rows: z.array(z.array(z.unknown())),
    units,
    /** Energies above the hull of rows whose chemical system lacks compounds are lower bounds. */
    completeness: listCompleteness.optional(),
  }),
  refusals: FILTER,
});
