/** Screening: the whole catalogue by a filter, sorted by any column, with counts of the results. */
import {
  type ColumnValues,
  type conditionFields,
  FIELD_NAMES,
  type FieldOf,
  type predictedFields,
  type SearchResult,
} from '@unitcell/material';
import { z } from 'zod';
import {
  FILTER,
  IN_OXYGEN,
  MAX_ID,
  outcome,
  rowId,
  defineCall,
  unit,
  energyScale,
  completenessOfRows,
} from '../common.ts';
import * as address from '../calls.ts';
import type { WorkingIon } from '../ecwindow/rules.ts';
import type { ELECTRODE_FIELDS, ElectrodeFieldName } from '../electrodes/rules.ts';
import { MAX_SCREEN_ROWS } from './rules.ts';

/** A column, or a calculated number in square brackets: `[bulk_modulus / density]`. */
const name = z.string().max(200);

const units = z
  .record(z.string(), z.string())
  .optional()
  .describe('Units of calculated columns by name; absent without such columns.');
/**
 * Limit of requested names; it exceeds the number of all columns, with windows and electrodes of seven ions.
 */
const MAX_NAMES = 4 * FIELD_NAMES.length;

const screenRequest = z.object({
  filter: z
    .union([z.string().max(20_000), z.record(z.string(), z.unknown())])
    .optional()
    .describe(
      'Filter in the language of OPTIMADE 1.2 with our column names, or its tree; empty for no filter.',
    ),
  scale: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Energy scale of formation energies and energies above the hull; the default of the site when absent.',
    ),
  stable_in_oxygen: z
    .strictObject({
      temperature: z.number().meta(unit('K', 'Temperature of the oxygen, 0 to 3,000.')),
      pressure: z
        .number()
        .default(0.21)
        .meta(unit('bar', 'Partial pressure of O2, above 0; 0.21 in air when absent.')),
    })
    .optional()
    .describe(
      'Only materials that neither take up nor give off oxygen there; added to the filter as conditions on `oxygen_potential_min` and `oxygen_potential_max`. Materials whose limits are not known do not pass.',
    ),
  sort: name
    .optional()
    .describe('A column, prefixed with a hyphen for descending order; unknown values always come last.'),
  fields: z
    .array(name)
    .max(MAX_NAMES)
    .optional()
    .describe('Columns of the rows; default: those of the searches.'),
  facets: z.array(name).max(MAX_NAMES).optional().describe('Columns whose values are counted.'),
  limit: z.int().min(0).max(MAX_SCREEN_ROWS).optional().describe('Maximum number of rows.'),
  offset: z.int().nonnegative().max(MAX_ID).optional().describe('Number of rows to skip.'),
  cursor: z
    .string()
    .max(400)
    .optional()
    .describe('`next` of the previous answer, with the same filter, scale and sort.'),
});
export type ScreenRequest = z.output<typeof screenRequest>;

/** Material ids, in the requested order. */
const ids = z.array(rowId).max(MAX_SCREEN_ROWS);

/** All results in one file. */
const downloadRequest = screenRequest
  .pick({ filter: true, stable_in_oxygen: true, scale: true, sort: true })
  .extend({
    ids: ids
      .optional()
      .describe('Ids of materials, in the requested order, instead of the results of a filter.'),
    calculated: z
      .array(name.startsWith('['))
      .max(20)
      .optional()
      .describe('Expressions in square brackets, as additional columns of CSV and JSON Lines.'),
    format: z
      .enum(['csv', 'jsonl', 'cif', 'cif.tar.gz', 'poscar.tar.gz'])
      .describe(
        'csv: every column with its source; jsonl: the same as objects, one per line; cif: conventional cells, one data block each; cif.tar.gz and poscar.tar.gz: archives with one file per material and a list of their sources and licences.',
      ),
  });

const count = z.int().nonnegative();

/** Per element: number of materials that contain it, number of these with a value, and median of the values. */
const elementStatistic = z.object({
  count: count.describe('Materials that contain the element.'),
  known: count.describe('Materials that contain the element and have a value of `field`.'),
  median: z
    .number()
    .nullable()
    .meta(unit('the unit of the column', 'Median of the values; null if none is known.')),
});
export type ElementStatistic = z.infer<typeof elementStatistic>;

/**
 * Counts of the rows that pass all conditions except those on this field, so that choosing one option does not
 * hide the others. The counts, `others` and `missing` (no value) add up to `total`.
 */
const facet = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('histogram').describe('Numbers in bins.'),
    from: z
      .number()
      .meta(
        unit(
          'the unit of the column',
          'Lower limit of the first bin. Bin i contains values from `from + i · step` on; values outside count in the outermost bins.',
        ),
      ),
    step: z.number().meta(unit('the unit of the column', 'Width of a bin.')),
    counts: z.array(count).describe('Rows per bin.'),
    missing: count.describe('Rows without a value.'),
    total: count.describe('Rows counted, including those without a value.'),
  }),
  z.object({
    kind: z.literal('values').describe('Values of texts and flags.'),
    values: z
      .array(
        z.object({
          value: z.union([z.string(), z.boolean()]).describe('A value of the column.'),
          count: count.describe('Rows with this value.'),
        }),
      )
      .describe('Most frequent first.'),
    others: count.describe('Rows of less frequent values.'),
    missing: count.describe('Rows without a value.'),
    total: count.describe('Rows counted, including those without a value.'),
  }),
  /** Number of result rows that contain each element. */
  z.object({
    kind: z.literal('elements').describe('Elements.'),
    counts: z.record(z.string(), count).describe('Rows that contain each element.'),
    total: count.describe('Rows counted.'),
  }),
]);
export type Facet = z.infer<typeof facet>;

/** Columns of a screening that are not columns of a material. */
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
type ConditionColumn = (typeof conditionFields)[number]['name'];
type ElectrodeColumns = {
  readonly [Name in ElectrodeFieldName as `${Name}_${Lowercase<WorkingIon>}`]:
    | ((typeof ELECTRODE_FIELDS)[Name]['type'] extends 'text' ? string : number)
    | null;
};

/** All columns for filters and results, with the types of their values, in the units of the columns. */
export type ScreenColumns = Omit<ColumnValues, 'energy'> &
  DerivedColumns &
  ElectrodeColumns &
  Readonly<Record<WindowColumn | PredictedColumn | ConditionColumn, number | null>>;

/** A column, or an expression in square brackets. */
export type ScreenColumn = keyof ScreenColumns | `[${string}]`;

/** Default columns of a screening: the same as in the searches. */
export type SearchColumn = { [Name in keyof SearchResult]: FieldOf<Name>['column'] }[keyof SearchResult];

/** A result row, by column name. */
export type ScreenedMaterial<Column extends ScreenColumn> = {
  readonly [Name in Column]: Name extends keyof ScreenColumns ? ScreenColumns[Name] : number | null;
};

/** The rows of an answer. */
const rowsOfColumns = {
  fields: z.array(z.string()).describe('Columns of the rows, in their order.'),
  rows: z
    .array(z.array(z.unknown()))
    .describe('One list per material, values in the order of `fields`, in the units of the columns.'),
  units,
  completeness: completenessOfRows,
};

export const screenMaterials = defineCall(address.screenMaterials, {
  summary:
    'Screens the catalogue by composition and properties: `elements HAS "O" AND band_gap >= 2`, sorted, counted, page by page',
  request: screenRequest
    .refine(
      ({ cursor, offset }) => cursor === undefined || offset === undefined,
      'either cursor or offset, not both',
    )
    .meta({ not: { required: ['cursor', 'offset'] } }),
  answer: outcome.extend({
    filter: z.string().describe('The filter as parsed.'),
    scale: energyScale,
    release: z.int().describe('Number of the last rebuild of derived data that the answer is based on.'),
    catalogue: count.describe('Materials in the whole catalogue.'),
    total: count.describe('Materials that pass the filter.'),
    ...rowsOfColumns,
    next: z.string().nullable().describe('Cursor of the next page; null on the last.'),
    facets: z
      .record(z.string(), facet)
      .describe(
        'Counts of values by column, over rows that pass every condition except those on the column itself.',
      ),
    conditions: z
      .array(
        z.object({
          filter: z.string().describe('The conditions on one field, in the filter language.'),
          without: count.describe('Number of materials that would pass without them.'),
        }),
      )
      .describe('Conditions by field, and the number of materials that would pass without them.'),
  }),
  refusals: [...FILTER, ...IN_OXYGEN],
  faults: ['server.too-costly'],
});

export const downloadScreened = defineCall(address.downloadScreened, {
  summary: 'All results of a filter, as CSV, JSON Lines, CIF or an archive of CIF or POSCAR files, streamed',
  request: downloadRequest
    .refine(
      ({ ids: some, filter }) => some === undefined || filter === undefined,
      'either ids or filter, not both',
    )
    .meta({ not: { required: ['ids', 'filter'] } }),
  answer: z.string(),
  answerType: ['text/csv', 'application/x-ndjson', 'chemical/x-cif', 'application/gzip'],
  refusals: [...FILTER, ...IN_OXYGEN],
  faults: ['server.too-costly'],
  calculates: true,
});

export const screenPoints = defineCall(address.screenPoints, {
  summary: 'Two numbers of every result of a filter, and a third for the colour, for a plot',
  request: screenRequest.pick({ filter: true, scale: true }).extend({
    x: name.describe('Column of the first axis.'),
    y: name.describe('Column of the second axis.'),
    color: name.optional().describe('Column of the colour.'),
  }),
  answer: outcome.extend({
    total: count.describe('Materials that pass; those without one of the two numbers are not plotted.'),
    x: z.array(z.number()).meta(unit('the unit of the column', 'Values of the first axis.')),
    y: z.array(z.number()).meta(unit('the unit of the column', 'Values of the second axis.')),
    color: z
      .array(z.number().nullable())
      .nullable()
      .meta(
        unit(
          'the unit of the column',
          'Values of the colour; null if unknown, or as a whole without a colour column.',
        ),
      ),
  }),
  refusals: FILTER,
  faults: ['server.too-costly'],
});

export const screenElements = defineCall(address.screenElements, {
  summary: 'Counts and medians of a number by element, over the results of a filter',
  request: screenRequest.pick({ filter: true, scale: true }).extend({
    field: name.optional().describe('Column of the median; without it elements are only counted.'),
  }),
  answer: outcome.extend({
    total: count.describe('Materials that pass the filter.'),
    elements: z
      .record(z.string(), elementStatistic)
      .describe('Statistics by element; elements that do not occur are omitted.'),
  }),
  refusals: FILTER,
  faults: ['server.too-costly'],
});

export const materialRows = defineCall(address.materialRows, {
  summary: 'Columns of some materials by id, in the order of the ids; deleted materials are omitted',
  request: screenRequest.pick({ scale: true, fields: true }).extend({
    ids: ids.describe('Ids of materials, in the order of the rows; deleted materials are omitted.'),
  }),
  answer: outcome.extend({
    scale: energyScale,
    release: z.int().describe('Number of the last rebuild of derived data that the answer is based on.'),
    ...rowsOfColumns,
  }),
  refusals: FILTER,
});
