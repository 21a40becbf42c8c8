/** The calls of ecwindow. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { outcome, structId } from '../common.ts';
import { ELEMENT_SEARCH, FORMULA_SEARCH, ID_SEARCH, PHASES } from '../refusals.ts';
import { energyScale, functional, listCompleteness, withCompleteness } from '../phase-diagram/fields.ts';

// The three searches for electrochemical windows (spec §2.10, §7.5; decisions "ecwindow").

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

// One electrochemical window (spec §2.11, §3).

export const windowRange = z.object({
  /** `2.333 – 3.355` */
  Voltage_range: z.string(),
  /** HTML: formulas with subscripts, linked to their materials. */
  Phase_equilibria: z.string(),
  /** `LiFePO4 → FePO4 + Li` */
  Reaction: z.string(),
  /** V against the working ion */
  min_voltage: z.number(),
  /** null: no upper limit */
  max_voltage: z.number().nullable(),
  /** Ions taken up (positive) or given up per formula unit. */
  ion_uptake: z.number(),
  phases: z.array(z.object({ formula: z.string(), struct_id: z.int().nullable(), moles: z.number() })),
});
export type WindowRange = z.infer<typeof windowRange>;

export const windowDetail = outcome.extend({
  formula: z.string(),
  struct_id: z.int(),
  work_ion: z.string(),
  /** Charge of the ion: electrons per ion. */
  charge: z.number(),
  /** Energy of the ion's metal, eV/atom: 0 V. 0 where the scale holds formation energies only. */
  ref_miu: z.number(),
  /** Corners of the plotted line, V against the working ion, ascending. */
  voltage: z.array(z.number()),
  /** Decomposition energy at each, eV per atom of the material; never positive. */
  rxn_energy: z.array(z.number()),
  reduction_onset: z.number(),
  /** null: no upper bound, the material holds none of the ion */
  oxidation_onset: z.number().nullable(),
  /** Decomposition energy at the onsets, eV/atom. */
  d_e_reduction_onset: z.number(),
  d_e_oxidation_onset: z.number().nullable(),
  hovertext: z.array(z.string()),
  /** eV/atom */
  e_above_hull: z.number(),
  /** From 0 V upwards. */
  decomposition_table_data: z.array(windowRange),
  /** Rows of the table that reduction and oxidation lead to; null where there is no such onset. */
  transition_indexes: z.object({
    reduction_onset: z.int().nullable(),
    oxidation_onset: z.int().nullable(),
  }),
  ...withCompleteness,
  ...energyScale.shape,
});
export type WindowDetail = z.infer<typeof windowDetail>;

export const getEcwDetail = defineCall({
  name: 'getEcwDetail',
  group: 'ecwindow',
  method: 'POST',
  path: '/api/ecwindow/get_ecw_detail/',
  summary: 'The electrochemical window of a material against a working ion, with all phase equilibria',
  access: 'user',
  body: 'json',
  request: z.object({ struct_id: structId, work_ion: z.string().max(20).optional(), functional }),
  answer: windowDetail,
  refusals: ['ecwindow.unknown-ion', 'ecwindow.no-energy', ...PHASES],
  faults: ['material.not-found'],
  calculates: true,
});

export const ecwindowCalls: readonly Call[] = [
  searchWindowsByElements,
  searchWindowsByFormula,
  searchWindowsById,
  getEcwDetail,
];
