/**
 * Predicted properties of a crystal, with intervals that hold for nine of ten held-out systems. The measured
 * coverage is in the manifest and in docs/methods/prediction.md.
 */
import {
  atomicFractions,
  cellVolume,
  type Composition,
  CrystalError,
  findPrimitiveCell,
  type Structure,
} from '@unitcell/crystal';
import { elementBySymbol, ELEMENTS } from '@unitcell/elements';
import { type CrystalGraph, crystalGraph, GRAPH_RADIUS, MAX_GRAPH_ATOMS } from './crystal-graph.ts';
import type { CompoundClass } from './model-file.ts';
import type { Model } from './read-model.ts';
import { chance, gapInterval, type Interval, mean, type Values, valuesOf } from './values.ts';

// Predicted properties of a composition without a structure: those of its most stable crystal, and the measured
// gap. The network is the one for crystals. Every element receives messages from neighbours drawn from the
// composition, including itself, at distance 0.

/** Indices of the raw heads of the measured gap: the logit of having a gap, and the size of the gap. */
const [MEASURED_LOGIT, MEASURED_GAP] = [5, 6];

/**
 * Measured gaps are not predicted for oxides and halides: for held-out formulas, 90 % intervals contained only 79.5 %
 * of 88 oxides and 66.7 % of 18 halides, and valid intervals would be 2.5 and 4.5 eV wide. In the four other classes,
 * the intervals contained 92.2 % of 371 gaps.
 */
const NO_MEASURED_GAP: ReadonlySet<CompoundClass> = new Set(['oxide', 'halide']);

export interface CompositionPrediction extends Values {
  /**
   * eV, measured gap (optical or transport, mostly at room temperature), which is larger than the PBE gap. Null for
   * oxides and halides.
   */
  readonly measuredBandGap: Interval | null;
  /**
   * Probability that a measurement finds a gap, 0 to 1. Null for oxides and halides, where it fails: it gives
   * 5 % for LiFePO4, an insulator.
   */
  readonly measuredInsulatorProbability: number | null;
}

/** The composition as input of the network; amounts are above 0, as returned by `parseFormula`. */
export function compositionGraph(composition: Composition, neighbours: number): CrystalGraph {
  const fractions = Object.entries(atomicFractions(composition));
  const size = fractions.length;
  return {
    atomicNumbers: Uint8Array.from(fractions, ([element]) => elementBySymbol(element).number),
    shares: Float64Array.from(fractions, ([, fraction]) => fraction),
    rowStarts: Uint32Array.from({ length: size + 1 }, (_, row) => row * size),
    sources: Uint32Array.from({ length: size * size }, (_, edge) => edge % size),
    distances: new Float64Array(size * size),
    weights: Float64Array.from({ length: size * size }, (_, edge) => neighbours * fractions[edge % size][1]),
  };
}

/**
 * Predicts a composition; multiples of a formula give the same result.
 * @throws PredictionError `unknown-element`
 */
export function predictComposition(
  { manifest, composition: predictor }: Model,
  composition: Composition,
): CompositionPrediction {
  const graph = compositionGraph(composition, manifest.composition.neighbours);
  const { values, outputs } = valuesOf(predictor, manifest.scales, graph, []);
  const heads = outputs.map((output) => output.heads);
  const logit = mean(heads.map((raw) => raw[MEASURED_LOGIT]));
  const { measuredGapHalfWidths } = predictor.manifest.interval;
  const measured = gapInterval(predictor, heads, logit, MEASURED_GAP, measuredGapHalfWidths);
  // PBE gaps are smaller than measured ones. If the predictions contradict this, the interval covers both.
  const { value, high } = values.bandGap;
  const both = measured.value < value ? { ...measured, high: Math.max(measured.high, high) } : measured;
  if (NO_MEASURED_GAP.has(values.compoundClass))
    return { ...values, measuredBandGap: null, measuredInsulatorProbability: null };
  return { ...values, measuredBandGap: both, measuredInsulatorProbability: chance(logit) };
}

/** Number of ranges per element in the manifest. */
const RANGES = 4;
/**
 * Limits on the distance to the nearest neighbour divided by the sum of the covalent radii. One in a thousand of 6,025
 * crystals of the Materials Project is outside these limits.
 */
const NEAREST_BOND = { least: 0.65, most: 2 } as const;
/**
 * Limit on the volume of the cell divided by the volume of its atoms, taken as spheres of covalent radius. One in a
 * thousand of the same 6,025 crystals is above the limit.
 */
const MAX_ROOM = 25;
/** Å, for elements without a tabulated covalent radius. */
const DEFAULT_RADIUS = 1.5;

const radiusOf = (number: number): number => ELEMENTS[number - 1].covalentRadius ?? DEFAULT_RADIUS;

/**
 * Whether the atomic environments are those of crystals: every atom has its nearest neighbour at bond length;
 * its nearest distance and neighbour density (neighbours weighted by (1 + cos πd/R)/2) are within the ranges of
 * training atoms of its element; and the cell is not mostly empty. The latent space does not show this: without
 * messages beyond 5.5 Å, the network cannot recognise an isolated atom, and treats a sheet or a chain like its
 * crystal. The API, the web client and the searches all use this rule.
 * @param ranges smallest and largest nearest distance (Å) and neighbour density by atomic number; if absent,
 *   only lengths are checked
 * @param volumePerAtom Å³
 */
export function isUsual(
  ranges: readonly number[] | undefined,
  graph: CrystalGraph,
  volumePerAtom: number,
): boolean {
  const { atomicNumbers, shares, rowStarts, sources, distances, weights } = graph;
  const radii = Array.from(atomicNumbers, radiusOf);
  const spheres = radii.reduce(
    (sum, radius, node) => sum + shares[node] * (4 / 3) * Math.PI * radius ** 3,
    0,
  );
  if (volumePerAtom > MAX_ROOM * spheres) return false;
  return radii.every((radius, node) => {
    let [nearest, bond, neighbourDensity] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (let edge = rowStarts[node]; edge < rowStarts[node + 1]; edge++) {
      const distance = distances[edge];
      nearest = Math.min(nearest, distance);
      bond = Math.min(bond, distance / (radius + radii[sources[edge]]));
      neighbourDensity += weights[edge] * 0.5 * (1 + Math.cos((Math.PI * distance) / GRAPH_RADIUS));
    }
    if (bond < NEAREST_BOND.least || bond > NEAREST_BOND.most) return false;
    if (!ranges) return true;
    const [low, high, few, many] = ranges.slice(atomicNumbers[node] * RANGES);
    return nearest >= low && nearest <= high && neighbourDensity >= few && neighbourDensity <= many;
  });
}

export type Prediction = Values;

/**
 * Å; atoms this close after a translation are copies of each other, because coordinates in files are rounded.
 */
const COPY_TOLERANCE = 0.01;

/** @throws CrystalError `structure` where a number of the crystal is not finite */
function checkNumbers({ latticeVectors, sites }: Structure): void {
  if (!latticeVectors.flat().every(Number.isFinite))
    throw new CrystalError('structure', 'a lattice vector holds a number that is not finite');
  const site = sites.findIndex(({ fractionalCoords }) => !fractionalCoords.every(Number.isFinite));
  if (site >= 0)
    throw new CrystalError('structure', `a coordinate of site ${site + 1} is not a finite number`);
}

/**
 * Larger cells are refused without reduction, because the search for a primitive cell takes seconds from a
 * thousand atoms on.
 */
const MAX_REDUCED_ATOMS = 5 * MAX_GRAPH_ATOMS;

/**
 * The primitive cell. Intervals depend on the number of atoms and were calibrated on primitive cells. A primitive cell
 * is returned unchanged.
 */
function primitiveOf(structure: Structure): Structure {
  if (structure.sites.length > MAX_REDUCED_ATOMS) return structure;
  const { latticeVectors, sites } = findPrimitiveCell(structure, COPY_TOLERANCE);
  if (sites.length === structure.sites.length) return structure;
  return {
    latticeVectors,
    sites: sites.map(({ fractionalCoords, sources }) => ({
      species: structure.sites[sources[0]].species,
      fractionalCoords,
    })),
  };
}

/**
 * Predicts a crystal; the result does not depend on the choice of cell.
 * @throws PredictionError as `crystalGraph`, and `unknown-element`; CrystalError `structure` for numbers that
 * are not finite
 */
export function predict(model: Model, given: Structure): Prediction {
  checkNumbers(given);
  const structure = primitiveOf(given);
  const { scales, domain } = model.manifest;
  const atoms = structure.sites.length;
  const graph = crystalGraph(structure);
  const isAsTaught = isUsual(domain.surroundings, graph, cellVolume(structure.latticeVectors) / atoms);
  return valuesOf(model, scales, graph, [Math.log(atoms)], isAsTaught).values;
}

/** Linear interpolation of y at x between the points (xs, ys); constant outside. */
function between(xs: readonly number[], ys: readonly number[], x: number): number {
  const above = xs.findIndex((known) => known > x);
  if (above === 0) return ys[0];
  if (above < 0) return ys[ys.length - 1];
  const share = (x - xs[above - 1]) / (xs[above] - xs[above - 1]);
  return ys[above - 1] + share * (ys[above] - ys[above - 1]);
}

/**
 * Probability that the true energy is at most `margin` above a hull (eV/atom). It follows from the errors on
 * calibration systems and is then corrected to the frequency observed for calibration crystals. It is valid for
 * crystals of databases, half of which are within 25 meV; for lists with fewer stable crystals it is too high.
 * @param energyAboveHull predicted, eV/atom; negative below the hull
 */
export function probabilityWithin(
  { manifest }: Pick<Model, 'manifest'>,
  prediction: Values | CompositionPrediction,
  energyAboveHull: number,
  margin: number,
): number {
  const { interval, chances } = 'measuredBandGap' in prediction ? manifest.composition : manifest;
  const { signedScores } = interval;
  const levels = signedScores.map((_, k) => k / (signedScores.length - 1));
  const predicted = 1 - between(signedScores, levels, (energyAboveHull - margin) / prediction.expectedError);
  return between(chances.told, chances.found, predicted);
}
