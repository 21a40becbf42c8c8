/**
 * Runs an identification in a catalogue without threads or a database, and makes random mixtures of its
 * materials.
 */
import { seededRandom } from '@unitcell/numerics';
import { type IdentificationRequest, refineMixture } from '../identification/fitted-mixture.ts';
import {
  type IdentificationSteps,
  identifyPhases,
  proposePhases,
} from '../identification/identify-phases.ts';
import { reviewMixture } from '../identification/review-mixture.ts';
import { weighCandidates } from '../identification/weigh-candidates.ts';
import type { RefinementPhase, RefinementRequest, RefinementResult } from '../refinement/types.ts';
import type { Catalogue, CatalogueMaterial } from './catalogue.ts';
import { simulatedScan, stretched } from './simulated-scan.ts';

export interface Identified {
  readonly phases: readonly { readonly id: number; readonly alternatives: readonly number[] }[];
  readonly explained: number;
  /** Undefined if no phase was found. */
  readonly refined: RefinementResult | undefined;
}

/** @param isKnown returns false for materials that the search must not use */
export async function identifyIn(
  { materials, index }: Catalogue,
  request: IdentificationRequest,
  isKnown: (material: CatalogueMaterial) => boolean = () => true,
  onlyWithHumps = false,
): Promise<Identified> {
  const { pattern, radiation, excluded } = request;
  const weights = radiation.reduce((sum, { weight }) => sum + weight, 0);
  const wavelength = radiation.reduce((sum, line) => sum + line.weight * line.wavelength, 0) / weights;
  const byId = new Map(materials.map((material) => [material.id, material]));
  const candidates = [...materials.keys()].filter((position) => isKnown(materials[position]));
  let crystalliteSizeNm: number | undefined;
  const steps: IdentificationSteps = {
    propose: async (rest, known) => {
      const asked = { ...pattern, wavelength, excluded, rest, known, candidates, crystalliteSizeNm };
      const proposed = proposePhases(index, asked);
      ({ crystalliteSizeNm } = proposed);
      return proposed.proposals.flatMap(({ id, strain }) => {
        const material = byId.get(id);
        if (!material) return [];
        const factor = 1 + strain;
        const phase: RefinementPhase = {
          label: material.formula,
          structure: stretched(material.structure, [factor, factor, factor]),
          strain,
        };
        return [{ id, phase, strain, prototype: material.anonymousFormula }];
      });
    },
    weigh: async (fitted, proposed) => weighCandidates(request, fitted, proposed),
    review: async (fitted, found, proposed) => reviewMixture(request, fitted, found, proposed),
  };
  const { mixture, phases, explained } = await identifyPhases(steps, undefined, onlyWithHumps);
  return {
    phases: phases.map(({ id, alternatives }) => ({
      id,
      alternatives: alternatives.map((other) => other.id),
    })),
    explained,
    refined: phases.length > 0 ? refineMixture(request, mixture) : undefined,
  };
}

/** Materials for mixtures need at least this many stored lines and at most this many atoms. */
const [MIN_LINES, MAX_SITES] = [5, 60];

export interface Mixture {
  readonly request: RefinementRequest;
  readonly ids: readonly number[];
  /** By weight. */
  readonly fractions: readonly number[];
}

/**
 * A random mixture of two to four materials, each with a share of at least about 0.1 and a cell within 1 % of
 * the stored one. It has noise, displacement, texture of the first phase, Kα2 and axial divergence.
 */
export function randomMixture({ materials, index }: Catalogue, seed: number): Mixture {
  const random = seededRandom(seed);
  const chosen: { material: CatalogueMaterial; strain: number; share: number }[] = [];
  while (chosen.length < 2 + (seed % 3)) {
    const position = Math.floor(random() * materials.length);
    const material = materials[position];
    const lines = index.start[position + 1] - index.start[position];
    if (material.structure.sites.length > MAX_SITES || lines < MIN_LINES) continue;
    if (chosen.some((other) => other.material === material)) continue;
    chosen.push({ material, strain: 0.01 * (2 * random() - 1), share: 0.15 + random() });
  }
  const total = chosen.reduce((sum, { share }) => sum + share, 0);
  const fractions = chosen.map(({ share }) => share / total);
  const request = simulatedScan({
    phases: chosen.map(({ material: { formula, structure }, strain }) => ({
      label: formula,
      structure: stretched(structure, [1 + strain, 1 + strain, 1 + strain]),
    })),
    fractions,
    values: {
      displacement: 0.1 * (2 * random() - 1),
      W: 0.004 + 0.006 * random(),
      X: 0.03 + 0.07 * random(),
      Y: 0.03 + 0.1 * random(),
      'axial divergence': 0.03 + 0.04 * random(),
    },
    march: 0.75 + 0.4 * random(),
    range: [12, 92],
    counts: 10_000 + 20_000 * random(),
    seed,
  });
  return { request, ids: chosen.map(({ material }) => material.id), fractions };
}
