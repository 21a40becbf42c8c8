/** The calls of phase-diagram. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { emptyRequest, outcome } from '../common.ts';
import { DIAGRAMS } from '../refusals.ts';
import { energyScale, expectedError, functional, scaleFailure, withCompleteness } from './fields.ts';

export * from './fields.ts';

// Phase diagrams (spec §2.9, §3, §7.4; decisions "Phase diagram payload").

/** Components a diagram is drawn for. */
export const PHASE_DIAGRAM_COMPONENTS = { min: 2, max: 4 } as const;

const numbers = z.array(z.number());

const coordinates = {
  /** 2 components: fraction of the second. 3: on the plane of the triangle. 4: in the tetrahedron. */
  x: numbers,
  /** 2 components: formation energy, eV/atom. */
  y: numbers,
  z: numbers.optional(),
};

const points = z.object({
  ...coordinates,
  name: z.enum(['Stable', 'Unstable']),
  /** Hover texts. */
  text: z.array(z.string()),
  formula: z.array(z.string()),
  space_group: z.array(z.string()),
  /** eV/atom, relative to the corners of the diagram */
  fEnergy: numbers,
  /** eV/atom */
  eAboveHull: numbers,
});

/** struct_id; null for an element known only as the zero of a published scale. */
const ids = z.array(z.int().nullable());

export const hullLine = z.object({ ...coordinates, name: z.literal('Hull') });
export const stablePhases = points.extend({ id: ids });
export const unstablePhases = points.extend({
  tid: ids,
  /** What each decomposes into, e.g. `0.6 Fe2O3 + 0.4 Li2O` (atomic fractions). */
  decomposition: z.array(z.string()),
});
export type HullLine = z.infer<typeof hullLine>;
export type StablePhases = z.infer<typeof stablePhases>;
export type UnstablePhases = z.infer<typeof unstablePhases>;

export const phaseDiagramData = outcome.extend({
  /** Hull lines, then the unstable phases, then the stable ones. */
  data: z.array(z.union([stablePhases, unstablePhases, hullLine])),
  /** The corners. */
  annotations: z.array(
    z.object({ x: z.number(), y: z.number(), z: z.number().optional(), text: z.string() }),
  ),
  title: z.string(),
  /** Of the classes of compounds in the diagram. */
  expected_errors: z.array(expectedError).optional(),
  /** Of the phases in the diagram. */
  scale_failures: z.array(scaleFailure).optional(),
  /** As understood: element symbols or formulas, in the order of the coordinates. */
  components: z.array(z.string()),
  ...withCompleteness,
  ...energyScale.shape,
});
export type PhaseDiagramData = z.infer<typeof phaseDiagramData>;

export const phaseDiagramHandle = defineCall({
  name: 'phaseDiagramHandle',
  group: 'phase-diagram',
  method: 'POST',
  path: '/api/phase_diagram/phase_diagram_handle/',
  summary: 'The phase diagram of two to four elements or compounds (`Li Mn O`, `Li2O Mn O`)',
  access: 'user',
  body: 'json',
  request: z.object({ include: z.string().max(2000), functional }),
  answer: phaseDiagramData,
  refusals: DIAGRAMS,
  calculates: true,
});

export const getPhaseDiagram = defineCall({
  name: 'getPhaseDiagram',
  group: 'phase-diagram',
  method: 'POST',
  path: '/api/matdata/get_phase_diagram/',
  summary: 'The phase diagram around a material of two to four elements',
  access: 'user',
  body: 'json',
  request: z.object({
    /** The elements of the material, as a list or as text. */
    include: z.union([z.string().max(2000), z.array(z.string().max(20)).max(120)]),
    /** How many they are. */
    n: z.union([z.string().max(10), z.number()]).optional(),
    functional,
  }),
  answer: phaseDiagramData,
  refusals: DIAGRAMS,
  calculates: true,
});

export const placedCompound = outcome.extend({
  formula: z.string(),
  /** In the coordinates of the diagram, see `phaseDiagramData`. */
  x: z.number(),
  y: z.number(),
  z: z.number().optional(),
  /** eV/atom, relative to the corners of the diagram */
  fEnergy: z.number(),
  /** eV/atom; negative: by how much the compound would lie below the hull as it is. */
  eAboveHull: z.number(),
  decomposition: z.array(
    z.object({
      formula: z.string(),
      id: z.int().nullable(),
      /** Share of the atoms. */
      fraction: z.number(),
    }),
  ),
  ...withCompleteness,
  ...energyScale.shape,
});
export type PlacedCompound = z.infer<typeof placedCompound>;

export const placeCompound = defineCall({
  name: 'placeCompound',
  group: 'phase-diagram',
  method: 'POST',
  path: '/api/phase_diagram/place_compound/',
  summary: 'Where a compound of your own lies in a phase diagram, and what it decomposes into',
  access: 'user',
  body: 'json',
  request: z.object({
    /** Components of the diagram, as in `phase_diagram_handle`. */
    include: z.string().max(2000),
    formula: z.string().max(200),
    /** eV/atom */
    energy_per_atom: z.number(),
    /** `formation`: relative to the elements; `total`: as calculated, on the scale of the answer. */
    energy_kind: z.enum(['formation', 'total']).default('formation'),
    functional,
  }),
  answer: placedCompound,
  refusals: [...DIAGRAMS, 'phase.no-total-energies'],
  calculates: true,
});

// At which chemical potentials of its elements a compound is stable.

export const limitingPhase = z.object({
  formula: z.string(),
  /** struct_id; null for an element known only as the zero of a published scale. */
  id: z.int().nullable(),
  /** Atoms of each element in the formula, in the order of `elements`. */
  amounts: z.array(z.number()),
  /** eV per formula, relative to the elements */
  formation_energy: z.number(),
});
export type LimitingPhaseAnswer = z.infer<typeof limitingPhase>;

export const potentialCorner = z.object({
  /** eV/atom of each element, relative to the element itself: 0 where it is there, else below. */
  potentials: z.array(z.number()),
  /** Places in `limits` of the phases the compound is in equilibrium with here. */
  limits: z.array(z.int()),
});

export const chemicalPotentials = outcome.extend({
  /** The components, in the order of amounts and potentials. */
  elements: z.array(z.string()),
  compound: limitingPhase,
  /** The phases beside it on the hull: Σ amounts · potentials of each is at most its formation energy. */
  limits: z.array(limitingPhase),
  /** Where the region ends. It goes on towards −∞ for elements that the compound lacks. */
  corners: z.array(potentialCorner),
  ...withCompleteness,
  ...energyScale.shape,
});
export type ChemicalPotentials = z.infer<typeof chemicalPotentials>;

export const getChemicalPotentials = defineCall({
  name: 'getChemicalPotentials',
  group: 'phase-diagram',
  method: 'POST',
  path: '/api/phase_diagram/chemical_potentials/',
  summary: 'The chemical potentials of two to four elements at which a compound of them is stable',
  access: 'user',
  body: 'json',
  request: z.object({
    /** The elements, as in `phase_diagram_handle`: `Li Fe O`. */
    include: z.string().max(2000),
    /** A compound of them that is on the hull. */
    formula: z.string().max(200),
    functional,
  }),
  answer: chemicalPotentials,
  refusals: [...DIAGRAMS, 'phase.not-of-elements', 'phase.no-compound', 'phase.not-stable'],
  calculates: true,
});

// The energy scales a visitor may choose between on every page that stands on energies.

export const energyScaleChoice = energyScale.extend({
  /** Materials with an energy on this scale. */
  materials: z.int(),
});
export type EnergyScaleChoice = z.infer<typeof energyScaleChoice>;

export const energyScales = outcome.extend({
  /** The scale of answers to requests that name none. */
  default: z.string(),
  /** The default first, then the largest. */
  scales: z.array(energyScaleChoice),
});
export type EnergyScales = z.infer<typeof energyScales>;

export const getEnergyScales = defineCall({
  name: 'getEnergyScales',
  group: 'phase-diagram',
  method: 'GET',
  path: '/api/phase_diagram/energy_scales/',
  summary: 'The energy scales of the site, with the release of their hulls',
  access: 'user',
  body: 'none',
  request: emptyRequest,
  answer: energyScales,
  refusals: [],
  cache: 'private',
});

export const phaseDiagramCalls: readonly Call[] = [
  phaseDiagramHandle,
  getPhaseDiagram,
  placeCompound,
  getChemicalPotentials,
  getEnergyScales,
];
