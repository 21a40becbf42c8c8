/** Screening: the whole catalogue by a filter, sorted by any column, with counts of what would remain. */
import {
  type ColumnValues,
  FIELD_NAMES,
  type FieldOf,
  type predictedFields,
  type SearchResult,
} from '@unitcell/material';
import { z } from 'zod';
import { FILTER, MAX_ID, outcome, rowId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import type { WorkingIon } from '../ecwindow/rules.ts';
import { unit } from '../field-meta.ts';
import { energyScale, listCompleteness } from '../phase-diagram/fields.ts';
import { MAX_SCREEN_ROWS } from './rules.ts';

/** A column, or a number calculated from columns, in square brackets: `[bulk_modulus / density]`. */
const name = z.string().max(200);

const units = z
  .record(z.string(), z.string())
  .optional()
  .describe('What the numbers of calculated columns are in, by their names; absent where none is asked for.');
/** More names than there are to ask for are a mistake; every scalar of a material is one. */
const MOST_NAMES = 2 * FIELD_NAMES.length;

const screenRequest = z.object({
  filter: z
    .union([z.string().max(20_000), z.record(z.string(), z.unknown())])
    .optional()
    .describe(
      'In the filter language of OPTIMADE 1.2 with the names of our columns, or its tree; empty lets everything pass.',
    ),
  scale: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Energy scale of formation energies and energies above the hull; the default of the site when absent.',
    ),
  sort: name
    .optional()
    .describe('A column, with a hyphen in front for the falling order; unknown values come last both ways.'),
  fields: z
    .array(name)
    .max(MOST_NAMES)
    .optional()
    .describe('Columns of the rows, those of the searches when absent.'),
  facets: z.array(name).max(MOST_NAMES).optional().describe('Columns to count values of.'),
  limit: z.int().min(0).max(MAX_SCREEN_ROWS).optional().describe('Rows wanted.'),
  offset: z.int().nonnegative().max(MAX_ID).optional().describe('Rows to leave out at the beginning.'),
  cursor: z
    .string()
    .max(400)
    .optional()
    .describe('`next` of the answer before, with the same filter, scale and sort.'),
});
export type ScreenRequest = z.output<typeof screenRequest>;

/** Materials by number, in the order they are wanted. */
const ids = z.array(rowId).max(MAX_SCREEN_ROWS);

/** All that passes, in one file. */
const downloadRequest = screenRequest.pick({ filter: true, scale: true, sort: true }).extend({
  ids: ids
    .optional()
    .describe('Numbers of the materials wanted, in their order, instead of what a filter finds.'),
  calculated: z
    .array(name.startsWith('['))
    .max(20)
    .optional()
    .describe('Expressions in square brackets, as further columns of CSV and JSON Lines.'),
  format: z
    .enum(['csv', 'jsonl', 'cif', 'cif.tar.gz', 'poscar.tar.gz'])
    .describe(
      'csv: every column with its source; jsonl: the same as objects, one a line; cif: conventional cells, one data block each; cif.tar.gz and poscar.tar.gz: archives of a file per material, with a list of their sources and licences.',
    ),
});

const count = z.int().nonnegative();

/** Materials that hold an element, those of them with a value, and the middle of the values. */
const elementStatistic = z.object({
  count: count.describe('Materials that hold the element.'),
  known: count.describe('Those of them with a value of `field`.'),
  median: z
    .number()
    .nullable()
    .meta(unit('the unit of the column', 'Median of the values; null where none is known.')),
});
export type ElementStatistic = z.infer<typeof elementStatistic>;

/**
 * Counts over the rows that pass every condition but those on this field alone, so that one choice does not hide the
 * others; the counts, `others` and `missing` (no value) add up to `total`.
 */
const facet = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('histogram').describe('Numbers in bins.'),
    from: z
      .number()
      .meta(
        unit(
          'the unit of the column',
          'Lower end of the first bin. Bin i holds values from `from + i · step` on; what lies outside counts in the outermost.',
        ),
      ),
    step: z.number().meta(unit('the unit of the column', 'Width of a bin.')),
    counts: z.array(count).describe('Rows per bin.'),
    missing: count.describe('Rows without a value.'),
    total: count.describe('Rows it counts, with those without a value.'),
  }),
  z.object({
    kind: z.literal('values').describe('Values of texts and flags.'),
    values: z
      .array(
        z.object({
          value: z.union([z.string(), z.boolean()]).describe('A value of the column.'),
          count: count.describe('Rows that have it.'),
        }),
      )
      .describe('Most frequent first.'),
    others: count.describe('Rows of less frequent values.'),
    missing: count.describe('Rows without a value.'),
    total: count.describe('Rows it counts, with those without a value.'),
  }),
  /** Rows of the result that hold each element. */
  z.object({
    kind: z.literal('elements').describe('Elements.'),
    counts: z.record(z.string(), count).describe('Rows that hold each element.'),
    total: count.describe('Rows it counts.'),
  }),
]);
export type Facet = z.infer<typeof facet>;

/** What can be screened by and is in no column of a material. */
export interface DerivedColumns {
  readonly has_dos: boolean;
  readonly topology_class: string | null;
  readonly prototype: string | null;
  readonly has_predicted: boolean;
  /** ISO 8601 in UTC. */
  readonly added: string;
}

type WindowColumn = `${'reduction_onset' | 'oxidation_onset' | 'window_width'}_${Lowercase<WorkingIon>}`;
type PredictedColumn = (typeof predictedFields)[number]['name'];

/** All columns that can be filtered by and asked for, with the types of their values, in the units of the columns. */
export type ScreenColumns = Omit<ColumnValues, 'energy'> &
  DerivedColumns &
  Readonly<Record<WindowColumn | PredictedColumn, number | null>>;

/** A column, or an expression in square brackets. */
export type ScreenColumn = keyof ScreenColumns | `[${string}]`;

/** The columns of a screening that names none: those of the searches. */
export type SearchColumn = { [Name in keyof SearchResult]: FieldOf<Name>['column'] }[keyof SearchResult];

/** A row by the names of its columns. */
export type ScreenedMaterial<Column extends ScreenColumn> = {
  readonly [Name in Column]: Name extends keyof ScreenColumns ? ScreenColumns[Name] : number | null;
};

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
    filter: z.string().describe('The filter as it was understood.'),
    scale: energyScale,
    release: z.int().describe('The last rebuild of derived data the answer stands on.'),
    catalogue: count.describe('Materials of the whole catalogue.'),
    total: count.describe('Materials that pass.'),
    fields: z.array(z.string()).describe('Columns of the rows, in their order.'),
    rows: z
      .array(z.array(z.unknown()))
      .describe('One list per material, values in the order of `fields`, in the units of the columns.'),
    units,
    completeness: listCompleteness
      .optional()
      .describe(
        'Chemical systems that lack compounds: energies above the hull of their rows are lower bounds.',
      ),
    next: z.string().nullable().describe('Cursor of the next page; null behind the last.'),
    facets: z
      .record(z.string(), facet)
      .describe(
        'Counts of values by column, over rows that pass every condition but those on the column itself.',
      ),
    conditions: z
      .array(
        z.object({
          filter: z.string().describe('The conditions on one field, in the filter language.'),
          without: count.describe('How many materials would pass without it.'),
        }),
      )
      .describe('Conditions by the fields they are on, and how many materials would pass without them.'),
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
  request: screenRequest.pick({ filter: true, scale: true }).extend({
    x: name.describe('Column of the first axis.'),
    y: name.describe('Column of the second axis.'),
    color: name.optional().describe('Column to colour by.'),
  }),
  answer: outcome.extend({
    total: count.describe(
      'Materials that pass; those without one of the two numbers are not among the points.',
    ),
    x: z.array(z.number()).meta(unit('the unit of the column', 'Values of the first axis at the points.')),
    y: z.array(z.number()).meta(unit('the unit of the column', 'Values of the second axis at the points.')),
    color: z
      .array(z.number().nullable())
      .nullable()
      .meta(
        unit(
          'the unit of the column',
          'Values to colour by; null where it is unknown, or as a whole when nothing is coloured by.',
        ),
      ),
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
  request: screenRequest.pick({ filter: true, scale: true }).extend({
    field: name
      .optional()
      .describe('Column of numbers to take the median of; without it elements are only counted.'),
  }),
  answer: outcome.extend({
    total: count.describe('Materials that pass.'),
    elements: z
      .record(z.string(), elementStatistic)
      .describe('Statistics by element; elements of none of the materials are left out.'),
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
  request: screenRequest.pick({ scale: true, fields: true }).extend({
    ids: ids.describe('Numbers of the materials wanted, in the order of the rows; what is gone is left out.'),
  }),
  answer: outcome.extend({
    scale: energyScale,
    release: z.int().describe('The last rebuild of derived data the answer stands on.'),
    fields: z.array(z.string()).describe('Columns of the rows, in their order.'),
    rows: z
      .array(z.array(z.unknown()))
      .describe('One list per material, values in the order of `fields`, in the units of the columns.'),
    units,
    completeness: listCompleteness
      .optional()
      .describe(
        'Chemical systems that lack compounds: energies above the hull of their rows are lower bounds.',
      ),
  }),
  refusals: FILTER,
});
