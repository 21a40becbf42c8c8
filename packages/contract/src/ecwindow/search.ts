/** The three searches for electrochemical windows (spec §2.10, §7.5; decisions "ecwindow"). */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { ELEMENT_SEARCH, FORMULA_SEARCH, ID_SEARCH } from '../refusals.ts';
import { listCompleteness } from '../phase-diagram/completeness.ts';
import { energyScale, functional } from '../phase-diagram/energy-scale.ts';

/** Ions windows are kept for; the first is the default. */
export const WORKING_IONS = ['Li', 'Na', 'K', 'Mg', 'Ca', 'Zn', 'Al'] as const;
export type WorkingIon = (typeof WORKING_IONS)[number];

/** Ranges of the sliders (spec §2.10). A filter that spans its whole range filters nothing. */
export const WINDOW_FILTER_RANGES = {
  /** V against the working ion */
  collapse_Reduction: { min: 0, max: 7, step: 0.1 },
  /** V against the working ion */
  collapse_Oxidation: { min: 0, max: 7, step: 0.1 },
  /** eV/atom */
  collapse_ehull: { min: 0, max: 0.5, step: 0.001 },
  /** eV */
  collapse_bandgap: { min: 0, max: 10, step: 0.1 },
} as const;
export type WindowFilterName = keyof typeof WINDOW_FILTER_RANGES;

/** Names of the positions of a row, in order. Onsets in V against the working ion, energies in eV (per atom). */
export const WINDOW_ROW_FIELDS = [
  'struct_id',
  'formula',
  'reduction_onset',
  'oxidation_onset',
  'work_ion',
  'ehull',
  'bandgap',
  'nsites',
  'spacegroup',
  'crystal_system',
  'pointgroup',
  'hall',
] as const;

export const windowRow = z.tuple([
  z.int(),
  z.string(),
  z.number(),
  /** null: no upper bound, the material holds none of the ion */
  z.number().nullable(),
  z.string(),
  z.number().nullable(),
  z.number().nullable(),
  z.int(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
]);
export type WindowRow = z.infer<typeof windowRow>;

/** `[min, max]`; empty, 0 or absent: no filter. */
const range = z
  .union([
    z.tuple([z.union([z.number(), z.string().max(40)]), z.union([z.number(), z.string().max(40)])]),
    z.string().max(100),
    z.number(),
    z.array(z.never()).max(0),
    z.null(),
  ])
  .optional();

const filters = {
  /** Working ions, hyphen-separated; empty means Li. */
  collapse_work_ion: z.string().max(200).nullish(),
  /** Hyphen-separated: materials that hold any of them are left out. */
  collapse_excluded_elements: z.string().max(1000).nullish(),
  /** Hyphen-separated: only materials that hold all of them. */
  collapse_included_elements: z.string().max(1000).nullish(),
  collapse_Reduction: range,
  collapse_Oxidation: range,
  collapse_ehull: range,
  collapse_bandgap: range,
  functional,
};

const searchRequest = z.object({ include: z.string().max(20_000), ...filters });
export type WindowSearchRequest = z.infer<typeof searchRequest>;

const searchResponse = outcome.extend({
  results: z.array(windowRow),
  /** True number of matches, which may exceed `results.length`. */
  len: z.int(),
  completeness: listCompleteness.optional(),
  ...energyScale.shape,
});

/** The advanced options hold elements, ions and ranges. */
const SHARED = [
  'ecwindow.unknown-ion',
  'ecwindow.bad-range',
  'ecwindow.no-ion',
  'phase.unknown-scale',
] as const;

const call = { group: 'ecwindow', method: 'POST', access: 'user', body: 'json' } as const;

export const searchWindowsByElements = defineCall({
  ...call,
  name: 'searchWindowsByElements',
  path: '/api/ecwindow/search_by_elements/',
  summary:
    'Electrochemical windows of materials of exactly these elements (`Ti-O`), or at least these (`Ti-O-*`)',
  request: searchRequest,
  answer: searchResponse,
  refusals: [...SHARED, ...ELEMENT_SEARCH],
});

export const searchWindowsByFormula = defineCall({
  ...call,
  name: 'searchWindowsByFormula',
  path: '/api/ecwindow/search_by_formula/',
  summary: 'Electrochemical windows of materials of one reduced formula; empty means `Li(CoO2)2`',
  request: searchRequest,
  answer: searchResponse.extend({ formula: z.string() }),
  refusals: [...SHARED, 'search.unknown-elements', ...FORMULA_SEARCH],
});

export const searchWindowsById = defineCall({
  ...call,
  name: 'searchWindowsById',
  path: '/api/ecwindow/search_by_id/',
  summary: 'Electrochemical windows of the material with this id, with or without leading zeros',
  request: searchRequest.extend({ include: z.union([z.string().max(20_000), z.number()]) }),
  answer: searchResponse,
  refusals: [...SHARED, 'search.unknown-elements', ...ID_SEARCH],
});
