/** Phase diagrams (spec §2.9, §3, §7.4; decisions "Phase diagram payload"). */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { DIAGRAMS } from '../refusals.ts';
import { withCompleteness } from './completeness.ts';
import { energyScale, functional } from './energy-scale.ts';
import { expectedError, scaleFailure } from './scale-trust.ts';

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
