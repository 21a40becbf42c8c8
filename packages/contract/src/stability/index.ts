/** Stability under conditions: reactions with gases at temperature and pressure, Ellingham diagrams. */
import { z } from 'zod';
import { outcome, defineCall, unit, energyScale, functional } from '../common.ts';
import * as address from '../calls.ts';
import { expectedError } from '../phase-diagram/fields.ts';
import { ELLINGHAM_DIAGRAMS } from './rules.ts';

export * from './pourbaix.ts';
export * from './rules.ts';

const kilojoule = (meaning: string) => z.number().meta(unit('kJ/mol', meaning));
const kelvin = (meaning: string) => z.number().meta(unit('K', meaning));

export const measuredSource = z.object({
  source: z
    .enum(['NIST-JANAF', 'FREED', 'definition'])
    .describe('Tables of the measured energies; definition: an element in its reference state, zero.'),
  table: z.string().describe('Number of the JANAF table, such as O-029; otherwise empty.'),
  temperature_min: kelvin('Lowest temperature of the table.'),
  temperature_max: kelvin('Highest temperature of the table.'),
});

export const computedEnergy = z.object({
  struct_id: z.int().describe('The material of the lowest energy with this formula.'),
  formation_energy: z.number().meta(unit('eV/atom', 'Its formation energy on the scale of the answer.')),
  thermal: z
    .enum(['measured', 'descriptor'])
    .describe(
      'Effect of temperature: from the measured tables, or from the descriptor of Bartel and others (2018).',
    ),
  expected_error: expectedError
    .nullable()
    .describe('Error of the scale for the class of the compound; null if unknown.'),
});

export const reactionSpecies = z.object({
  formula: z
    .string()
    .describe('As typed, without coefficient and phase; `Zn(g)` if Zn is in the equation too.'),
  side: z.enum(['reactant', 'product']).describe('Side of the equation.'),
  phase: z
    .enum(['gas', 'element', 'condensed'])
    .describe('gas, an element in its reference state, or a crystal or liquid.'),
  pressure: z.number().nullable().meta(unit('bar', 'Partial pressure of a gas; null for other phases.')),
  measured: measuredSource
    .nullable()
    .describe('Origin of the measured energies; null if the tables lack the substance.'),
  computed: computedEnergy
    .nullable()
    .describe('Energy of the catalogue for a compound that is no gas; null if the catalogue lacks it.'),
  transitions: z
    .array(
      z.object({
        temperature: kelvin('Temperature of the phase change.'),
        kind: z.enum(['transition', 'melting', 'boiling']).describe('Kind of the phase change.'),
      }),
    )
    .describe('Phase changes in the measured table.'),
});
export type ReactionSpecies = z.infer<typeof reactionSpecies>;

export const reactionState = z.object({
  enthalpy: kilojoule('Enthalpy of reaction.'),
  gibbs: kilojoule('Gibbs energy of reaction at the pressures given.'),
  log_k: z.number().nullable().describe('log10 of the equilibrium constant, pressures in bar; null at 0 K.'),
  error: kilojoule('Expected error of a computed energy.')
    .nullable()
    .describe('In kJ/mol; null: measured or not known.'),
});
export type ReactionState = z.infer<typeof reactionState>;

export const reactionCurve = z.object({
  temperatures: z.array(z.number()).meta(unit('K', 'Temperatures, rising.')),
  enthalpy: z.array(z.number()).meta(unit('kJ/mol', 'Enthalpy of reaction at each temperature.')),
  gibbs: z.array(z.number()).meta(unit('kJ/mol', 'Gibbs energy of reaction at each temperature.')),
  turning: z
    .array(z.number())
    .meta(unit('K', 'Temperatures at which the Gibbs energy of reaction changes its sign.')),
  at: reactionState.nullable().describe('At the temperature asked for; null outside the range of the data.'),
});
export type ReactionCurve = z.infer<typeof reactionCurve>;

export const reactionBalance = z.object({
  equation: z.string().describe('The balanced equation in whole numbers, to which all energies refer.'),
  coefficients: z
    .array(z.number())
    .describe('Coefficients in the order of the species; 0: the species does not take part.'),
  measured: reactionCurve.nullable().describe('From measured tables; null if a substance is not in them.'),
  computed: reactionCurve
    .nullable()
    .describe(
      'From energies of the catalogue; gases and elements are measured. Null if a compound is not in it.',
    ),
});
export type ReactionBalance = z.infer<typeof reactionBalance>;

export const reactionResult = outcome.extend({
  species: z.array(reactionSpecies).describe('Reactants, then products.'),
  temperature: kelvin('Temperature asked for.'),
  independent: z.int().describe('Number of linearly independent balances; 1: the equation is unique.'),
  balances: z
    .array(reactionBalance)
    .describe(
      'The balances with the fewest substances, at most 12. If there are not more, every other balance is a sum of them.',
    ),
  ...energyScale.shape,
});
export type ReactionResult = z.infer<typeof reactionResult>;

const side = (meaning: string) => z.string().max(500).describe(meaning);

export const calculateReaction = defineCall(address.calculateReaction, {
  summary: 'Balances a reaction; its enthalpy and Gibbs energy at temperature and pressure',
  request: z.object({
    reactants: side('Formulas separated by + or commas: `Fe2O3 + C`. A gas is marked where needed: `Zn(g)`.'),
    products: side('Formulas separated by + or commas.'),
    temperature: z
      .number()
      .optional()
      .meta(unit('K', 'Temperature at which `at` is given, 0 to 3,000; default 298.15.')),
    pressures: z
      .record(z.string().max(50), z.number())
      .optional()
      .meta(unit('bar', 'Partial pressures of gases by formula; 1 bar where absent.')),
    functional,
  }),
  answer: reactionResult,
  refusals: [
    'stability.no-species',
    'stability.too-many-species',
    'stability.bad-formula',
    'stability.same-species',
    'stability.no-gas',
    'stability.wrong-side',
    'stability.idle-species',
    'stability.one-sided',
    'stability.impossible',
    'stability.bad-temperature',
    'stability.bad-pressure',
    'stability.unknown-gas',
    'phase.unknown-scale',
  ],
});

export const ellinghamLine = z.object({
  element: z.string().describe('The element of the line.'),
  reactant: z.string().describe('Formula of the substance that reacts with the gas.'),
  product: z.string().describe('Formula of the product.'),
  equation: z.string().describe('The reaction with one mole of the gas of the diagram.'),
  sources: z.array(z.enum(['NIST-JANAF', 'FREED'])).describe('Tables of the measured energies.'),
  temperatures: z.array(z.number()).meta(unit('K', 'Temperatures, rising.')),
  gibbs: z
    .array(z.number())
    .meta(unit('kJ/mol', 'Measured standard Gibbs energy per mole of gas at each temperature.')),
  transitions: z
    .array(
      z.object({
        formula: z.string().describe('The substance.'),
        temperature: kelvin('Temperature of the phase change.'),
        kind: z.enum(['transition', 'melting', 'boiling']).describe('Kind of the phase change.'),
        gibbs: kilojoule('Position on the line.'),
      }),
    )
    .describe('Phase changes on the line.'),
  computed: z
    .object({
      gibbs: z
        .array(z.number())
        .meta(unit('kJ/mol', 'From energies of the catalogue, with the measured effect of temperature.')),
      error: kilojoule('Expected error.').nullable().describe('In kJ/mol of gas; null if unknown.'),
      struct_ids: z.array(z.int()).describe('The materials used.'),
    })
    .nullable()
    .describe(
      'The same line from energies of the catalogue; null if it lacks a compound or all substances are gases or elements.',
    ),
});
export type EllinghamLineAnswer = z.infer<typeof ellinghamLine>;

export const ellinghamResult = outcome.extend({
  kind: z.enum(ELLINGHAM_DIAGRAMS).describe('Kind of compounds.'),
  gas: z.string().describe('The gas, of which every reaction takes one mole.'),
  elements: z.array(z.string()).describe('Elements of the lines, as asked for.'),
  without: z.array(z.string()).describe('Elements without a measured compound of this kind.'),
  temperature_min: kelvin('Lowest temperature.'),
  temperature_max: kelvin('Highest temperature.'),
  lines: z.array(ellinghamLine).describe('The lines by element.'),
  couples: z
    .object({
      temperatures: z.array(z.number()).meta(unit('K', 'Temperatures, rising.')),
      co_co2: z.array(z.number()).meta(unit('kJ/mol', 'Standard Gibbs energy of 2 CO + O2 → 2 CO2.')),
      h2_h2o: z.array(z.number()).meta(unit('kJ/mol', 'Standard Gibbs energy of 2 H2 + O2 → 2 H2O.')),
    })
    .nullable()
    .describe('Gas mixtures for the scales CO/CO2 and H2/H2O; null for kinds other than oxide.'),
  known_elements: z.array(z.string()).describe('All elements with a measured compound of this kind.'),
  ...energyScale.shape,
});
export type EllinghamResult = z.infer<typeof ellinghamResult>;

export const drawEllingham = defineCall(address.drawEllingham, {
  summary: 'Lines of an Ellingham diagram: measured, and from energies of the catalogue',
  request: z.object({
    kind: z.string().max(20).optional().describe('oxide (default), sulfide, nitride, chloride or carbonate.'),
    elements: z.string().max(200).describe('Symbols separated by spaces or commas: `Fe Ti Al C`.'),
    temperature_min: z.number().optional().meta(unit('K', 'Lowest temperature; default 298.15.')),
    temperature_max: z.number().optional().meta(unit('K', 'Highest temperature; default 2,400.')),
    functional,
  }),
  answer: ellinghamResult,
  refusals: [
    'stability.unknown-kind',
    'stability.no-elements',
    'stability.unknown-element',
    'stability.too-many-elements',
    'stability.no-lines',
    'stability.bad-temperature',
    'stability.bad-range',
    'phase.unknown-scale',
  ],
});
