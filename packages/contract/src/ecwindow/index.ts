import { z } from 'zod';
import {
  AT_TEMPERATURE,
  atomCount,
  ELEMENT_SEARCH,
  formula,
  FORMULA_SEARCH,
  ID_SEARCH,
  materialId,
  OPEN_GAS,
  outcome,
  PHASES,
  spaceGroup,
  structId,
  defineCall,
  positionalRow,
  unit,
  energyScale,
  functional,
  listCompleteness,
} from '../common.ts';
import * as address from '../calls.ts';
import {
  equilibriumPhase,
  gibbsEnergies,
  ofPhaseAtTemperature,
  ofReactionAtTemperature,
  openGas,
  phaseTemperature,
  reservoir,
  withCompleteness,
} from '../phase-diagram/fields.ts';
import { WINDOW_FILTER_RANGES, type WindowFilterName, WINDOW_ROW_FIELDS } from './rules.ts';

export * from './rules.ts';

// The calls of ecwindow: three searches for electrochemical windows (spec §2.10, §7.5; decisions "ecwindow").

const onsets = {
  reduction_onset: z
    .number()
    .meta(unit('V', 'Voltage below which the material is reduced, against the working ion.')),
  oxidation_onset: z
    .number()
    .nullable()
    .meta(
      unit(
        'V',
        'Voltage above which it is oxidised; null: no upper bound, because it contains none of the ion.',
      ),
    ),
};

export const windowRow = positionalRow(WINDOW_ROW_FIELDS, {
  struct_id: materialId,
  formula,
  ...onsets,
  work_ion: z.string().describe('Symbol of the working ion.'),
  ehull: z.number().nullable().meta(unit('eV/atom', 'Energy above the hull; null if unknown.')),
  bandgap: z.number().nullable().meta(unit('eV', 'Band gap; null if unknown.')),
  nsites: atomCount,
  spacegroup: spaceGroup,
  crystal_system: z.string().describe('Crystal system.'),
  pointgroup: z.string().describe('Point group.'),
  hall: z.string().describe('Hall symbol.'),
});
export type WindowRow = z.infer<typeof windowRow>;

/** `[min, max]`; empty, 0 or absent means no filter. */
const range = z
  .union([
    z.tuple([z.union([z.number(), z.string().max(40)]), z.union([z.number(), z.string().max(40)])]),
    z.string().max(100),
    z.number(),
    z.array(z.never()).max(0),
    z.null(),
  ])
  .optional();

const rangeOf = (name: WindowFilterName, of: string, addition = '') =>
  `[min, max] of ${of}; a maximum of ${WINDOW_FILTER_RANGES[name].max} is no limit${addition}. Empty, 0 or absent: no filter.`;

/** A hyphen-separated list; 0 and an empty list are the same as an empty text. */
const listed = (longest: number) =>
  z
    .union([z.string().max(longest), z.literal(0), z.array(z.never()).max(0)])
    .nullish()
    .transform((given) => (typeof given === 'string' && given !== '0' ? given : ''));

const filters = {
  collapse_work_ion: listed(200).describe('Working ions, hyphen-separated; empty means Li.'),
  collapse_excluded_elements: listed(1000).describe(
    'Hyphen-separated: excludes materials that contain any of them.',
  ),
  collapse_included_elements: listed(1000).describe(
    'Hyphen-separated: only materials that contain all of them.',
  ),
  collapse_Reduction: range.meta(unit('V', rangeOf('collapse_Reduction', 'the reduction onset'))),
  collapse_Oxidation: range.meta(
    unit('V', rangeOf('collapse_Oxidation', 'the oxidation onset', ', also for windows without an end')),
  ),
  collapse_ehull: range.meta(unit('eV/atom', rangeOf('collapse_ehull', 'the energy above the hull'))),
  collapse_bandgap: range.meta(unit('eV', rangeOf('collapse_bandgap', 'the band gap'))),
  functional,
};

const searchRequest = z.object({
  include: z.string().max(20_000).describe('The search text; the summary of the call describes its form.'),
  ...filters,
});
export type WindowSearchRequest = z.infer<typeof searchRequest>;

const searchResponse = outcome.extend({
  results: z.array(windowRow).describe('The results in order; each position of a row is described below.'),
  len: z.int().describe('Total number of matches; at most 10,000 of them are sent.'),
  completeness: listCompleteness
    .optional()
    .describe(
      'Chemical systems of material and ion with missing compounds: their windows may be narrower than shown. Without a result, the chemical system asked for.',
    ),
  ...energyScale.shape,
});

/** Refusals of calls that take the advanced options: elements, ions and ranges. */
const SHARED = [
  'ecwindow.unknown-ion',
  'ecwindow.bad-range',
  'ecwindow.no-ion',
  'phase.unknown-scale',
] as const;

const call = { group: 'ecwindow', method: 'POST', access: 'user', body: 'json' } as const;

export const searchWindowsByElements = defineCall(address.searchWindowsByElements, {
  ...call,
  summary:
    'Electrochemical windows of materials with exactly these elements (`Ti-O`), or at least these (`Ti-O-*`)',
  request: searchRequest,
  answer: searchResponse,
  refusals: [...SHARED, ...ELEMENT_SEARCH],
});

export const searchWindowsByFormula = defineCall(address.searchWindowsByFormula, {
  ...call,
  summary: 'Electrochemical windows of materials of one reduced formula; empty means `Li(CoO2)2`',
  request: searchRequest,
  answer: searchResponse.extend({
    formula,
  }),
  refusals: [...SHARED, 'search.unknown-elements', ...FORMULA_SEARCH],
});

export const searchWindowsById = defineCall(address.searchWindowsById, {
  ...call,
  summary: 'Electrochemical windows of the material with this id, with or without leading zeros',
  request: searchRequest.extend({
    include: z
      .union([z.string().max(20_000), z.number()])
      .describe('The search text; the summary of the call describes its form.'),
  }),
  answer: searchResponse,
  refusals: [...SHARED, 'search.unknown-elements', ...ID_SEARCH],
});

// One electrochemical window (spec §2.11, §3).

export const windowRange = z.object({
  Voltage_range: z.string().meta(unit('V', 'The voltage range as text: `2.333 – 3.355`.')),
  Phase_equilibria: z.string().describe('HTML: formulas with subscripts, linked to their materials.'),
  Reaction: z.string().describe('The reaction in the range: `LiFePO4 → FePO4 + Li`.'),
  min_voltage: z.number().meta(unit('V', 'Lower limit against the working ion.')),
  max_voltage: z.number().nullable().meta(unit('V', 'Upper limit; null: none.')),
  ion_uptake: z.number().describe('Ions taken up (positive) or released (negative) per formula unit.'),
  phases: z
    .array(
      equilibriumPhase.extend({
        moles: z.number().describe('Formula units per formula unit of the material.'),
        ...ofPhaseAtTemperature,
      }),
    )
    .describe('The phases of the equilibrium or reaction.'),
  ...ofReactionAtTemperature,
});
export type WindowRange = z.infer<typeof windowRange>;

export const windowDetail = outcome.extend({
  formula,
  struct_id: materialId.nullable().describe('Id of the material; null for a compound of your own.'),
  work_ion: z.string().describe('Symbol of the working ion.'),
  charge: z.number().meta(unit('e', 'Electrons per ion.')),
  ref_miu: z
    .number()
    .meta(
      unit(
        'eV/atom',
        'Energy of the ion’s metal, the zero of voltage; 0 if the scale has only formation energies.',
      ),
    ),
  voltage: z
    .array(z.number())
    .meta(unit('V', 'Voltages at the corners of the plotted line against the working ion, ascending.')),
  rxn_energy: z
    .array(z.number())
    .meta(unit('eV/atom', 'Decomposition energy at each corner, per atom of the material; never positive.')),
  ...onsets,
  d_e_reduction_onset: z.number().meta(unit('eV/atom', 'Decomposition energy at the reduction onset.')),
  d_e_oxidation_onset: z
    .number()
    .nullable()
    .meta(unit('eV/atom', 'Decomposition energy at the oxidation onset; null without one.')),
  hovertext: z.array(z.string()).describe('Hover texts, one per corner.'),
  e_above_hull: z.number().meta(unit('eV/atom', 'Energy above the hull.')),
  decomposition_table_data: z
    .array(windowRange)
    .describe('Phase equilibria from 0 V upwards; open to a gas, from `floor_voltage`.'),
  transition_indexes: z
    .object({
      reduction_onset: z.int().nullable().describe('Row of the reduction products.'),
      oxidation_onset: z.int().nullable().describe('Row of the oxidation products.'),
    })
    .describe('Rows of the table with the products of reduction and oxidation; null without such an onset.'),
  reservoir: reservoir
    .optional()
    .describe(
      'The gas to which the window is open. The energy above the hull is then a grand potential per atom of the other elements.',
    ),
  floor_voltage: z
    .number()
    .optional()
    .meta(
      unit(
        'V',
        'Open to a gas: lowest voltage with an equilibrium. Below it the gas oxidises the ion itself, and `floor_phase` grows without limit.',
      ),
    ),
  floor_phase: z.string().optional().describe('The compound of the ion and the gas; the metal at 0 V.'),
  gibbs: gibbsEnergies.optional(),
  ...withCompleteness,
  ...energyScale.shape,
});
export type WindowDetail = z.infer<typeof windowDetail>;

export const getEcwDetail = defineCall(address.getEcwDetail, {
  summary: 'The electrochemical window of a material against a working ion, with all phase equilibria',
  request: z.object({
    struct_id: structId
      .optional()
      .describe('Id of the material; this or `compound` with `compound_energy` is given.'),
    compound: z.string().max(200).optional().describe('Formula of a compound of your own.'),
    compound_energy: z
      .number()
      .min(-20)
      .max(20)
      .optional()
      .meta(unit('eV/atom', 'Its formation energy on the scale of the answer.')),
    work_ion: z.string().max(20).optional().describe('Symbol of the working ion.'),
    reservoir: openGas
      .optional()
      .describe('A gas or two with which the material and its products exchange elements.'),
    temperature: phaseTemperature,
    functional,
  }),
  answer: windowDetail,
  refusals: [
    ...OPEN_GAS,
    ...AT_TEMPERATURE,
    'ecwindow.nothing-left',
    'ecwindow.unknown-ion',
    'ecwindow.no-energy',
    'ecwindow.no-material',
    'interface.bad-reactant',
    ...PHASES,
  ],
  faults: ['material.not-found'],
  calculates: true,
});
