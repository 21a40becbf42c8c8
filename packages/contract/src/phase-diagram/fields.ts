/** Shapes of answers with phases: completeness, accuracy of a scale, temperatures. */
import { z } from 'zod';
import { unit } from '../common.ts';
import { GIBBS_SOURCES } from './rules.ts';

/** A phase of an equilibrium or reaction; each call states the amount in its own unit. */
export const equilibriumPhase = z.object({
  formula: z.string().describe('Formula of the phase.'),
  struct_id: z
    .int()
    .nullable()
    .describe(
      'Id of the material in this database; null for an element known only as the zero of a published scale.',
    ),
});

export const missingCompound = z.object({
  formula: z.string().describe('Formula of a missing compound, as databases display it: `CO2`, `Mg3(PO4)2`.'),
  marginal: z
    .boolean()
    .describe('Whether other phases are within 5 meV/atom, so that another method may disagree.'),
  held_above: z
    .number()
    .nullable()
    .meta(
      unit(
        'eV/atom',
        'The form in the catalogue is this much above the most stable one known; null: not in the catalogue at all.',
      ),
    ),
});
export type MissingCompound = z.infer<typeof missingCompound>;

/** Limit of missing compounds listed by name; further ones are counted. */
export const MAX_MISSING_NAMED = 60;

/**
 * Whether the catalogue contains every compound known to be stable in a chemical system. Missing phases can only lower
 * a hull: if they were added, windows would become narrower and reaction energies larger.
 */
export const completeness = z.object({
  status: z
    .enum(['complete', 'incomplete', 'not-known'])
    .describe('complete, incomplete, or not-known if the site has no list of the stable compositions.'),
  chemical_system: z.string().describe('Symbols of the elements considered, joined by hyphens: `C-Li-O`.'),
  missing: z
    .array(missingCompound)
    .describe('Compounds that are stable on the scale but missing from the catalogue, the simplest first.'),
  missing_count: z.int().describe('Number of missing compounds; not all of them are listed.'),
  bounds: z
    .record(z.string(), z.enum(['lower', 'upper']))
    .describe(
      'Fields of this answer that missing compounds turn into bounds: the true value is this or lower (upper), or higher (lower).',
    ),
  source: z.string().nullable().describe('Source of the list of stable compositions; null without one.'),
});
export type Completeness = z.infer<typeof completeness>;

/** Field for answers that use the hulls of one chemical system; spread into the schema of the answer. */
export const withCompleteness = {
  completeness: completeness
    .optional()
    .describe('Whether the catalogue contains every compound known to be stable in the chemical system.'),
};

/**
 * Accuracy of the energies of a scale: their deviation from measured enthalpies, and known contradictions to
 * experiment.
 */

export const COMPOUND_CLASS_NAMES = [
  'hydroxide',
  'oxyhalide',
  'oxosalt',
  'oxide',
  'halide',
  'chalcogenide',
  'nitride',
  'pnictide',
  'carbide',
  'boride',
  'silicide',
  'hydride',
  'intermetallic',
] as const;

/**
 * Formation energies of the scale minus measured standard enthalpies of formation, over compounds of the
 * catalogue.
 */
export const expectedError = z.object({
  compound_class: z
    .enum(COMPOUND_CLASS_NAMES)
    .nullable()
    .describe('Class of compounds; null: all together, because too few of the class were measured.'),
  count: z.int().describe('Number of compounds compared.'),
  mean: z.number().meta(unit('eV/atom', 'Mean deviation; negative: the scale binds too strongly.')),
  mean_absolute: z.number().meta(unit('eV/atom', 'Mean absolute deviation.')),
  measured_scale: z.string().describe('Name of the scale of the measured enthalpies.'),
});
export type ExpectedError = z.infer<typeof expectedError>;

/** A case in which the order of phase energies on the scale differs from experiment. */
export const scaleFailure = z.object({
  functional: z
    .string()
    .describe('Name of the energy scale. Energies of different scales are never mixed in one answer.'),
  struct_id: z.int().describe('The phase that is stable by experiment.'),
  text: z
    .object({ en: z.string().describe('In English.'), zh: z.string().describe('In Chinese.') })
    .describe('Description of the contradiction.'),
  source: z.string().describe('Source of the measured values.'),
});
export type ScaleFailure = z.infer<typeof scaleFailure>;

/** A gas, or a mixture of two gases, that exchanges elements with the phases; as in the request. */
export const openGas = z.strictObject({
  gas: z
    .string()
    .max(20)
    .describe('O2, H2, N2, F2, Cl2, Br2, S2; with a second gas also H2O, CO2, CO, NH3, SO2, CH4, HCl, HF.'),
  temperature: z.number().meta(unit('K', 'Temperature, 0 to 3,000.')),
  pressure: z.number().meta(unit('bar', 'Partial pressure, above 0.')),
  second: z
    .strictObject({
      gas: z.string().max(20).describe('H2 with H2O, CO with CO2, ….'),
      pressure: z.number().meta(unit('bar', 'Partial pressure, above 0.')),
    })
    .nullish()
    .describe('A second gas; both together determine the potentials of their elements.'),
});

/** A gas or a mixture of two gases as stated in an answer, with the chemical potentials. */
export const reservoir = z.object({
  gas: z.string().describe('Formula of the gas.'),
  element: z.string().describe('The element that the phases exchange with it; of two, the first.'),
  temperature: z.number().meta(unit('K', 'Temperature of the gas.')),
  pressure: z.number().meta(unit('bar', 'Partial pressure of the gas.')),
  chemical_potential: z
    .number()
    .meta(
      unit(
        'eV/atom',
        'Chemical potential of the element, relative to the element at `counted_from`; with `gibbs`, at its own temperature and 1 bar.',
      ),
    ),
  counted_from: z
    .number()
    .meta(
      unit(
        'K',
        'Temperature of the elements from which the potentials count: 0 on calculated scales, 298.15 on measured ones, with `gibbs` that of the gas.',
      ),
    ),
  second: z
    .object({
      gas: z.string().describe('Formula of the second gas.'),
      pressure: z.number().meta(unit('bar', 'Its partial pressure.')),
    })
    .nullable()
    .describe('The second gas of a mixture; null without one.'),
  potentials: z
    .record(z.string(), z.number())
    .meta(unit('eV/atom', 'Chemical potential of every element that is exchanged.')),
});
export type Reservoirs = z.infer<typeof reservoir>;

/** Temperature of all phases of a request. */
export const phaseTemperature = z
  .number()
  .optional()
  .meta(
    unit(
      'K',
      'Temperature of all phases, 0 to 2,000; from 300 K they have Gibbs energies. That of the gas, if there is one.',
    ),
  );

export const gibbsSource = z.enum(GIBBS_SOURCES);

/** Field for answers at a temperature. */
export const gibbsEnergies = z
  .object({
    temperature: z.number().meta(unit('K', 'Temperature of the Gibbs energies of formation.')),
    unknown: z
      .array(z.string())
      .describe('Compounds without a known Gibbs energy at this temperature; they are left out.'),
    replaced: z
      .array(z.string())
      .describe(
        'Crystals of molecules that are gases at this temperature; the measured gas at 1 bar replaces them.',
      ),
  })
  .describe(
    'At a temperature from 300 K: all energies are Gibbs energies of formation from the elements at that temperature and 1 bar.',
  );
export type GibbsEnergies = z.infer<typeof gibbsEnergies>;

/** Fields of a phase and of a reaction in answers at a temperature. */
export const ofPhaseAtTemperature = {
  gibbs_source: gibbsSource
    .optional()
    .describe(
      'At a temperature, the source of the Gibbs energy: measured (change with temperature of the compound), descriptor (Bartel et al. 2018), gas (measured, 1 bar), element (zero).',
    ),
};
export const ofReactionAtTemperature = {
  expected_error: z
    .number()
    .nullish()
    .meta(
      unit(
        'eV/atom',
        'At a temperature, the expected error of the energy: that of the scale, if known, and that of the temperature term; null if a reactant has the energy of the hull.',
      ),
    ),
};
