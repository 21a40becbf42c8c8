import { z } from 'zod';
import {
  AT_TEMPERATURE,
  DIAGRAMS,
  formula,
  OPEN_GAS,
  outcome,
  defineCall,
  unit,
  energyScale,
  functional,
} from '../common.ts';
import * as address from '../calls.ts';
import {
  expectedError,
  gibbsEnergies,
  gibbsSource,
  openGas,
  phaseTemperature,
  reservoir,
  scaleFailure,
  withCompleteness,
} from './fields.ts';

export * from './fields.ts';
export * from './rules.ts';

// The calls of phase-diagram (spec §2.9, §3, §7.4; decisions "Phase diagram payload").

/** Numbers of components for which a diagram is drawn. */
export const PHASE_DIAGRAM_COMPONENTS = { min: 2, max: 4 } as const;

const numbers = z.array(z.number());

const coordinates = {
  x: numbers.describe(
    '2 components: fraction of the second; 3: on the plane of the triangle; 4: in the tetrahedron.',
  ),
  y: numbers.describe('2 components: formation energy in eV/atom; 3 and 4: coordinate of the figure.'),
  z: numbers.optional().describe('Third coordinate, for 4 components only.'),
};

const points = z.object({
  ...coordinates,
  name: z.enum(['Stable', 'Unstable']).describe('Stable, Unstable or Hull.'),
  text: z.array(z.string()).describe('Hover texts.'),
  formula: z.array(z.string()).describe('Chemical formula in conventional order.'),
  space_group: z.array(z.string()).describe('Hermann–Mauguin symbol of the space group.'),
  fEnergy: numbers.meta(unit('eV/atom', 'Formation energy relative to the corners of the diagram.')),
  eAboveHull: numbers.meta(
    unit('eV/atom', 'Energy above the hull; negative: it would lie below the present hull.'),
  ),
  gibbs_source: z
    .array(gibbsSource)
    .optional()
    .describe(
      'At a temperature, the source of each Gibbs energy: measured (change with temperature of the compound), descriptor (Bartel et al. 2018), gas (measured, 1 bar), element (zero).',
    ),
  expected_error: numbers
    .optional()
    .meta(
      unit(
        'eV/atom',
        'At a temperature, the expected error of the distance between a phase and its competitors.',
      ),
    ),
  undecided: z
    .array(z.boolean())
    .optional()
    .describe('At a temperature, whether that distance is smaller than its error.'),
  probability: z
    .array(z.number().nullable())
    .optional()
    .describe(
      'At a temperature, the probability that the phase is stable, from the error of the scale; null if that is unknown, and for corners.',
    ),
});

/** Ids of materials; null for an element known only as the zero of a published scale. */
const ids = z.array(z.int().nullable());

export const hullLine = z.object({
  ...coordinates,
  name: z.literal('Hull').describe('Stable, Unstable or Hull.'),
});
export const stablePhases = points.extend({
  id: ids.describe('struct_id; null for an element known only as the zero of a published scale.'),
});
export const unstablePhases = points.extend({
  tid: ids.describe('struct_id of the unstable phases.'),
  decomposition: z
    .array(z.string())
    .describe('Decomposition products of each, in atomic fractions: `0.6 Fe2O3 + 0.4 Li2O`.'),
});
export type HullLine = z.infer<typeof hullLine>;
export type StablePhases = z.infer<typeof stablePhases>;
export type UnstablePhases = z.infer<typeof unstablePhases>;

export const phaseDiagramData = outcome.extend({
  data: z
    .array(z.union([stablePhases, unstablePhases, hullLine]))
    .describe('Hull lines, then the unstable phases, then the stable ones.'),
  annotations: z
    .array(
      z.object({
        x: z
          .number()
          .describe(
            '2 components: fraction of the second; 3: on the plane of the triangle; 4: in the tetrahedron.',
          ),
        y: z
          .number()
          .describe('2 components: formation energy in eV/atom; 3 and 4: coordinate of the figure.'),
        z: z.number().optional().describe('Third coordinate, for 4 components only.'),
        text: z.string().describe('Name of the corner.'),
      }),
    )
    .describe('The corners.'),
  title: z.string().describe('Title.'),
  expected_errors: z
    .array(expectedError)
    .optional()
    .describe('Formation energies of the scale minus measured enthalpies, by classes of compounds.'),
  scale_failures: z
    .array(scaleFailure)
    .optional()
    .describe('Contradictions between experiment and the scale on the order of phases.'),
  components: z
    .array(z.string())
    .describe('As parsed: symbols or formulas, in the order of the coordinates.'),
  reservoir: reservoir
    .optional()
    .describe(
      'The gas to which the diagram is open. Compositions and energies are then per atom of the other elements, energies are grand potentials.',
    ),
  gibbs: gibbsEnergies.optional(),
  ...withCompleteness,
  ...energyScale.shape,
});
export type PhaseDiagramData = z.infer<typeof phaseDiagramData>;

export const phaseDiagramHandle = defineCall(address.phaseDiagramHandle, {
  summary: 'The phase diagram of two to four elements or compounds (`Li Mn O`, `Li2O Mn O`)',
  request: z.object({
    include: z.string().max(2000).describe('The search text; the summary of the call describes its form.'),
    reservoir: openGas
      .optional()
      .describe(
        'A gas or two with which the phases exchange elements; then 2 to 4 other elements span the diagram.',
      ),
    temperature: phaseTemperature,
    functional,
  }),
  answer: phaseDiagramData,
  refusals: [...DIAGRAMS, ...AT_TEMPERATURE, ...OPEN_GAS, 'phase.open-compounds', 'phase.nothing-left'],
  calculates: true,
});

export const getPhaseDiagram = defineCall(address.getPhaseDiagram, {
  group: 'phase-diagram',
  summary: 'The phase diagram around a material of two to four elements',
  request: z.object({
    include: z
      .union([z.string().max(2000), z.array(z.string().max(20)).max(120)])
      .describe('The elements of the material, as a list or as text.'),
    n: z
      .union([z.string().max(10), z.number()])
      .optional()
      .describe('Number of elements.'),
    functional,
  }),
  answer: phaseDiagramData,
  refusals: DIAGRAMS,
  calculates: true,
});

export const getEmbeddedDiagram = defineCall(address.getEmbeddedDiagram, {
  summary: 'The phase diagram of an address for a frame (`getEmbedKey`)',
  access: 'public',
  request: z.object({
    include: z.string().max(200).describe('The components as in the address.'),
    functional: z.string().max(100).describe('The scale as in the address.'),
    key: z.string().max(100).describe('The key in the address of the frame.'),
  }),
  answer: phaseDiagramData,
  refusals: DIAGRAMS,
  faults: ['embed.bad-key'],
  calculates: true,
});

export const placedCompound = outcome.extend({
  formula,
  x: z
    .number()
    .describe(
      '2 components: fraction of the second; 3: on the plane of the triangle; 4: in the tetrahedron.',
    ),
  y: z.number().describe('2 components: formation energy in eV/atom; 3 and 4: coordinate of the figure.'),
  z: z.number().optional().describe('Third coordinate, for 4 components only.'),
  fEnergy: z.number().meta(unit('eV/atom', 'Formation energy relative to the corners of the diagram.')),
  eAboveHull: z
    .number()
    .meta(unit('eV/atom', 'Energy above the hull; negative: it would lie below the present hull.')),
  decomposition: z
    .array(
      z.object({
        formula: z.string().describe('Formula of the phase.'),
        id: z
          .int()
          .nullable()
          .describe('struct_id; null for an element known only as the zero of a published scale.'),
        fraction: z.number().describe('Share of the atoms, 0 to 1.'),
      }),
    )
    .describe('Phases it decomposes into, with the share of the atoms in each.'),
  ...withCompleteness,
  ...energyScale.shape,
});
export type PlacedCompound = z.infer<typeof placedCompound>;

export const placeCompound = defineCall(address.placeCompound, {
  summary: 'Position of a compound of your own in a phase diagram, and its decomposition',
  request: z.object({
    include: z.string().max(2000).describe('Components of the diagram, as in `phase_diagram_handle`.'),
    formula: z.string().max(200).describe('Chemical formula in conventional order.'),
    energy_per_atom: z
      .number()
      .min(-1e6)
      .max(1e6)
      .meta(unit('eV/atom', 'Energy of the compound, of the kind in `energy_kind`.')),
    energy_kind: z
      .enum(['formation', 'total'])
      .default('formation')
      .describe('formation: relative to the elements; total: as calculated, on the scale of the answer.'),
    functional,
  }),
  answer: placedCompound,
  refusals: [...DIAGRAMS, 'phase.no-total-energies'],
  calculates: true,
});

// Chemical potentials of the elements of a compound at which the compound is stable.

export const limitingPhase = z.object({
  formula: z.string().describe('A compound of these elements that is on the hull.'),
  id: z
    .int()
    .nullable()
    .describe('struct_id; null for an element known only as the zero of a published scale.'),
  amounts: z.array(z.number()).describe('Atoms of each element in the formula, in the order of `elements`.'),
  formation_energy: z.number().meta(unit('eV', 'Formation energy of one formula, relative to the elements.')),
});
export type LimitingPhaseAnswer = z.infer<typeof limitingPhase>;

export const potentialCorner = z.object({
  potentials: z
    .array(z.number())
    .meta(
      unit(
        'eV/atom',
        'Chemical potential of each element, relative to the element itself: 0 if it is present, otherwise negative.',
      ),
    ),
  limits: z.array(z.int()).describe('Indices into `limits` of the phases that are present too.'),
});

export const chemicalPotentials = outcome.extend({
  elements: z.array(z.string()).describe('The components, in the order of amounts and potentials.'),
  compound: limitingPhase.describe('The phase of the requested formula that lies on the hull.'),
  limits: z
    .array(limitingPhase)
    .describe(
      'The phases adjacent to the compound on the hull: Σ amounts · potentials of each is at most its formation energy.',
    ),
  corners: z
    .array(potentialCorner)
    .describe('Corners of the region, which extends to −∞ for elements that the compound lacks.'),
  ...withCompleteness,
  ...energyScale.shape,
});
export type ChemicalPotentials = z.infer<typeof chemicalPotentials>;

export const getChemicalPotentials = defineCall(address.getChemicalPotentials, {
  summary: 'The chemical potentials of two to four elements at which a compound of them is stable',
  request: z.object({
    include: z.string().max(2000).describe('Two to four elements: `Li Fe O`.'),
    formula: z.string().max(200).describe('A compound of these elements that is on the hull.'),
    energy_per_atom: z
      .number()
      .min(-20)
      .max(20)
      .optional()
      .meta(
        unit(
          'eV/atom',
          'Formation energy of a compound of your own with this formula, which is then added to the phases.',
        ),
      ),
    functional,
  }),
  answer: chemicalPotentials,
  refusals: [...DIAGRAMS, 'phase.not-of-elements', 'phase.no-compound', 'phase.not-stable'],
  calculates: true,
});

// The energy scales a user can choose on every page that shows energies.

export const energyScaleChoice = energyScale.extend({
  counted_from: z
    .number()
    .meta(
      unit(
        'K',
        'Temperature of the elements whose energies are zero: 0 for calculated energies, 298.15 for measured ones.',
      ),
    ),
  materials: z.int().describe('Materials with an energy on this scale.'),
});
export type EnergyScaleChoice = z.infer<typeof energyScaleChoice>;

export const energyScales = outcome.extend({
  default: z.string().describe('Whether it is the default of requests without a scale.'),
  scales: z.array(energyScaleChoice).describe('The default first, then the largest.'),
});
export type EnergyScales = z.infer<typeof energyScales>;

export const getEnergyScales = defineCall(address.getEnergyScales, {
  summary: 'The energy scales of the site, with the release of their hulls',
  answer: energyScales,
  cache: 'private',
});
