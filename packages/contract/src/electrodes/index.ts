/** Electrodes: search among insertion electrodes, their voltage profiles, and conversion reactions. */
import { z } from 'zod';
import {
  formula,
  materialId,
  outcome,
  PHASES,
  spaceGroup,
  structId,
  defineCall,
  unit,
  energyScale,
  functional,
  listCompleteness,
} from '../common.ts';
import * as address from '../calls.ts';
import { equilibriumPhase, withCompleteness } from '../phase-diagram/fields.ts';
import { ELECTRODE_PAGE, ELECTRODE_SORTS, MAX_COMPARED_ELECTRODES, STATE_LIMIT } from './rules.ts';

export * from './rules.ts';

const figure = (symbol: string, meaning: string) => z.number().meta(unit(symbol, meaning));
const ion = z.string().max(20).describe('Symbol of the working ion: Li, Na, K, Mg, Ca, Zn or Al.');

export const electrodeRow = z.object({
  struct_id: materialId.describe('Id of the discharged material, which names the electrode with the ion.'),
  formula: formula.describe('The discharged material.'),
  charged_id: materialId.describe('Id of the charged material.'),
  charged_formula: formula.describe('The charged material.'),
  ion,
  framework: formula.describe('The host without the ion, as a reduced formula.'),
  space_group: spaceGroup.describe('Space group of the discharged material.'),
  average_voltage: figure('V', 'Average voltage between both ends, against the metal of the ion.'),
  min_voltage: figure('V', 'Voltage of the lowest plateau.'),
  max_voltage: figure('V', 'Voltage of the highest plateau.'),
  plateaus: z.int().describe('Number of plateaus.'),
  capacity: figure('mAh/g', 'Capacity per mass of the discharged material.'),
  charged_capacity: figure('mAh/g', 'Capacity per mass of the charged material.'),
  volume_capacity: figure('mAh/cm³', 'Capacity per volume of the discharged material.'),
  specific_energy: figure('Wh/kg', 'Energy per mass of the discharged material, without the metal.'),
  energy_density: figure('Wh/L', 'Energy per volume of the discharged material, without the metal.'),
  volume_change: figure('%', 'Change of volume on charging, of the discharged volume; negative: it shrinks.'),
  above_hull: figure('eV/atom', 'Largest energy above the hull of the states on the profile.'),
  charged_above_hull: figure('eV/atom', 'Energy above the hull of the charged material.'),
  discharged_above_hull: figure('eV/atom', 'Energy above the hull of the discharged material.'),
  without_hubbard: z
    .boolean()
    .describe(
      'Whether the host is an oxide or fluoride of a transition metal and the energy of one end or of both was calculated without Hubbard U: voltages of PBE are then about 0.5 to 1 V too low, and wrong with U at one end only.',
    ),
});
export type ElectrodeRow = z.infer<typeof electrodeRow>;

export const electrodeStep = z.object({
  charged_id: materialId.describe('The material with fewer ions.'),
  discharged_id: materialId.describe('The material with more ions.'),
  from: z.number().describe('Ions per framework unit at the charged end of the plateau.'),
  to: z.number().describe('Ions per framework unit at its discharged end.'),
  voltage: figure('V', 'Voltage of the plateau against the metal of the ion.'),
});
export type ElectrodeStep = z.infer<typeof electrodeStep>;

export const electrodeState = z.object({
  struct_id: materialId,
  formula,
  space_group: spaceGroup,
  content: z.number().describe('Ions per framework unit.'),
  capacity: figure('mAh/g', 'Charge taken up from the charged end, per mass of the discharged material.'),
  volume: figure('Å³', 'Volume per framework unit.'),
  above_hull: figure('eV/atom', 'Energy above the hull of all phases of the system.'),
  above_profile: figure('eV', 'Energy per framework unit above the profile; 0: on it.'),
  on_profile: z.boolean().describe('Whether the discharge passes this state.'),
});
export type ElectrodeState = z.infer<typeof electrodeState>;

export const electrode = electrodeRow.extend({
  charge: figure('e', 'Electrons per ion.'),
  charged_content: z.number().describe('Ions per framework unit of the charged material.'),
  discharged_content: z.number().describe('Ions per framework unit of the discharged material.'),
  steps: z.array(electrodeStep).describe('Plateaus from the charged end; their voltages fall.'),
  states: z.array(electrodeState).describe('All materials of the host, by rising content of the ion.'),
  ...withCompleteness,
});
export type Electrode = z.infer<typeof electrode>;

/** `[min, max]`; null at an open end. */
const range = z.tuple([z.number().nullable(), z.number().nullable()]).optional();

const call = { group: 'electrodes', method: 'POST', access: 'user', body: 'json' } as const;

const ELEMENTS = z.string().max(1000).optional();

const searchRequest = z.object({
  ion: ion.optional().describe('Working ion; Li when absent.'),
  voltage: range.meta(unit('V', '[min, max] of the average voltage; null: no limit.')),
  capacity: range.meta(unit('mAh/g', '[min, max] of the capacity of the discharged material.')),
  volume_change: range.meta(unit('%', '[min, max] of the change of volume on charging.')),
  above_hull: z
    .number()
    .optional()
    .meta(unit('eV/atom', `Largest energy above the hull on the profile; ${STATE_LIMIT} is no limit.`)),
  elements: ELEMENTS.describe('Hyphen-separated: only electrodes that contain all of them.'),
  without: ELEMENTS.describe('Hyphen-separated: no electrode that contains any of them.'),
  framework: z.string().max(200).optional().describe('Formula of the host without the ion: `FePO4`.'),
  struct_id: structId.optional().describe('Only electrodes with this material as a state; of every ion.'),
  sort: z.enum(ELECTRODE_SORTS).optional().describe('Field to sort by; specific_energy when absent.'),
  ascending: z.boolean().optional().describe('Smallest values first; by default the largest.'),
  offset: z.int().nonnegative().max(1_000_000).optional().describe('Rows to skip.'),
  limit: z
    .int()
    .positive()
    .max(ELECTRODE_PAGE.largest)
    .optional()
    .describe(`Rows of the answer; ${ELECTRODE_PAGE.standard} when absent.`),
  functional,
});
export type ElectrodeSearchRequest = z.infer<typeof searchRequest>;

export const searchElectrodes = defineCall(address.searchElectrodes, {
  ...call,
  summary: 'Insertion electrodes by ion, voltage, capacity, stability, elements or host',
  request: searchRequest,
  answer: outcome.extend({
    results: z.array(electrodeRow).describe('One page of the results.'),
    len: z.int().describe('Total number of matches.'),
    counts: z
      .record(z.string(), z.int())
      .describe('Electrodes on the scale by working ion, without the conditions of the search.'),
    completeness: listCompleteness
      .optional()
      .describe(
        'Chemical systems of the results with missing compounds: their energies above the hull are bounds.',
      ),
    ...energyScale.shape,
  }),
  refusals: [
    'ecwindow.unknown-ion',
    'search.unknown-elements',
    'search.formula-start',
    'search.bad-formula',
    'electrodes.bad-range',
    'electrodes.ion-in-framework',
    'electrodes.none-of-ion',
    'phase.unknown-scale',
  ],
});

export const getElectrodes = defineCall(address.getElectrodes, {
  ...call,
  summary: 'Up to five insertion electrodes with their plateaus and all states of charge, for comparison',
  request: z.object({
    electrodes: z
      .array(z.object({ struct_id: structId.describe('Any state of the electrode.'), ion }))
      .min(1)
      .max(MAX_COMPARED_ELECTRODES)
      .describe('The electrodes, each named by a material and an ion.'),
    functional,
  }),
  answer: outcome.extend({
    electrodes: z.array(electrode).describe('In the order of the request, without repetitions.'),
    ...energyScale.shape,
  }),
  refusals: [
    'ecwindow.unknown-ion',
    'ecwindow.no-energy',
    'electrodes.only-ion',
    'electrodes.no-partner',
    'electrodes.partner-without-energy',
    'phase.unknown-scale',
  ],
  faults: ['material.not-found'],
});

export const conversionStep = z.object({
  voltage: figure('V', 'Voltage of the plateau against the metal of the ion.'),
  from: z.number().describe('Ions taken up per formula unit at the start of the plateau.'),
  to: z.number().describe('Ions taken up per formula unit at its end.'),
  capacity: figure('mAh/g', 'Charge taken up until the end of the plateau, per mass of the material.'),
  reaction: z.string().describe('The whole reaction until then: `FeF3 + 3 Li → Fe + 3 LiF`.'),
  phases: z
    .array(
      equilibriumPhase.extend({
        moles: z.number().describe('Formula units per formula unit of the material.'),
      }),
    )
    .describe('The phases at the end of the plateau.'),
});
export type ConversionStep = z.infer<typeof conversionStep>;

export const getConversion = defineCall(address.getConversion, {
  ...call,
  summary: 'Plateaus on which a material reacts with the metal of an ion to the stable phases',
  request: z.object({ struct_id: structId, ion, functional }),
  answer: outcome.extend({
    struct_id: materialId,
    formula,
    ion,
    above_hull: figure('eV/atom', 'Energy above the hull of the material.'),
    average_voltage: figure('V', 'Average voltage of all plateaus.').nullable(),
    capacity: figure('mAh/g', 'Capacity of all plateaus per mass of the material.'),
    specific_energy: figure('Wh/kg', 'Energy per mass of the material, without the metal.'),
    steps: z.array(conversionStep).describe('By falling voltage; empty if it is stable against the metal.'),
    ...withCompleteness,
    ...energyScale.shape,
  }),
  refusals: ['ecwindow.unknown-ion', 'ecwindow.no-energy', 'electrodes.only-ion', ...PHASES],
  faults: ['material.not-found'],
  calculates: true,
});
