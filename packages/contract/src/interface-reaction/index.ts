/** Reactions at the interface of two materials (spec §2.12, §3, §7.6). */
import { z } from 'zod';
import {
  AT_TEMPERATURE,
  formula,
  outcome,
  PHASES,
  defineCall,
  unit,
  energyScale,
  functional,
} from '../common.ts';
import * as address from '../calls.ts';
import {
  equilibriumPhase,
  gibbsEnergies,
  ofPhaseAtTemperature,
  ofReactionAtTemperature,
  phaseTemperature,
  withCompleteness,
} from '../phase-diagram/fields.ts';

/** Limit on the elements of two reactants and a reservoir together. */
export const MAX_INTERFACE_ELEMENTS = 12;

export const interfaceRow = z.object({
  molar_fraction: z.number().describe('Share of formula units of the first reactant, 0 to 1.'),
  atomic_fraction: z.number().describe('Share of atoms that come from the first reactant, 0 to 1.'),
  equilibrium_formula: z.string().describe('The phases of the mixture: `Li2S + Co9S8`.'),
  reaction_function: z
    .string()
    .describe('The balanced reaction; the coefficients of the reactants add up to 1.'),
  reaction_energy_total: z.number().meta(unit('eV/atom', 'Total energy gain of the mixture.')),
  reaction_energy: z.number().meta(unit('eV/atom', 'The part that needs both reactants ("mutual").')),
  decomposition_energy: z
    .number()
    .meta(unit('eV/atom', 'The part from the decomposition of the reactants alone; 0 for stable ones.')),
  reaction_energy_kj: z.number().meta(unit('kJ/mol', 'Per mole of `reaction_function`.')),
  phases: z
    .array(
      equilibriumPhase.extend({
        coefficient: z.number().describe('Coefficient in the reaction.'),
        ...ofPhaseAtTemperature,
      }),
    )
    .describe('The phases of the equilibrium or reaction.'),
  ...ofReactionAtTemperature,
});
export type InterfaceRow = z.infer<typeof interfaceRow>;

export const interfaceReactant = z.object({
  formula,
  struct_id: z.int().nullable().describe('The material whose energy is used; null for the hull energy.'),
  energy_above_hull: z.number().meta(unit('eV/atom', 'Energy above the hull.')),
  ...ofPhaseAtTemperature,
});
export type InterfaceReactant = z.infer<typeof interfaceReactant>;

export const interfaceResult = outcome.extend({
  atomic_fraction: z
    .array(z.number())
    .describe('Share of atoms that come from the first reactant, ascending, 0 to 1.'),
  reaction_energy: z
    .array(z.number())
    .meta(unit('eV/atom', 'Energy gain of the mixture; with an open element per atom without that element.')),
  atomic_title: z.string().describe('Title of the lower axis.'),
  molar_title: z.string().describe('Title of the upper axis.'),
  molar_text: z.array(z.string()).describe('Molar fractions, for the upper axis.'),
  text: z.array(z.string()).describe('Hover texts.'),
  interface_table_data: z.array(interfaceRow).describe('Corners of the line, one per row.'),
  min_re_index: z.int().describe('Row of the largest gain, from 0.'),
  reactants: z.tuple([interfaceReactant, interfaceReactant]).describe('The two reactants as parsed.'),
  open: z
    .object({
      element: z.string().describe('Symbol of the element.'),
      chemical_potential: z
        .number()
        .meta(unit('eV/atom', 'Chemical potential of the open element, relative to the pure element.')),
    })
    .nullable()
    .describe('The element exchanged with a reservoir; null: a closed interface.'),
  gibbs: gibbsEnergies.optional(),
  ...withCompleteness,
  ...energyScale.shape,
});
export type InterfaceResult = z.infer<typeof interfaceResult>;

const reactant = z.union([z.string().max(200), z.number()]).describe('Formula or struct_id.');

export const interfaceReceive = defineCall(address.interfaceReceive, {
  summary: 'Reactions between two materials, given as formula or struct_id',
  request: z.object({
    reactant1: reactant,
    reactant2: reactant,
    open_element: z
      .string()
      .max(20)
      .optional()
      .describe('An element exchanged with a reservoir; empty: a closed interface.'),
    chemical_potential: z
      .number()
      .optional()
      .meta(
        unit(
          'eV/atom',
          'Chemical potential of the open element, relative to the pure element; with `temperature`, at that temperature and 1 bar.',
        ),
      ),
    use_hull_energy: z
      .boolean()
      .optional()
      .describe('Use the hull energy of the reactants, as if already decomposed.'),
    temperature: phaseTemperature,
    functional,
  }),
  answer: interfaceResult,
  refusals: [
    'interface.no-reactant',
    'interface.bad-reactant',
    'interface.no-material',
    'interface.same-reactants',
    'interface.no-energy',
    'interface.unknown-element',
    'interface.bad-potential',
    ...AT_TEMPERATURE,
    ...PHASES,
  ],
  calculates: true,
});
