/**
 * Predicted properties of a crystal as it is given, with intervals that hold for nine of ten unseen systems. The figures reached are in
 * the manifest and in docs/methods/prediction.md.
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
import { type CrystalGraph, crystalGraph, GRAPH_RADIUS } from './crystal-graph.ts';
import type { CompoundClass } from './model-file.ts';
import type { Model } from './read-model.ts';
import { chance, gapInterval, type Interval, mean, type Values, valuesOf } from './values.ts';

// Predicted properties of a composition without a structure: those of its lowest crystal, and the measured gap. The network is that of the
// crystals; every element hears neighbours drawn from the composition, itself among them, at distance 0.

/** Raw heads of the measured gap: logit of having one, and its width. */
const [MEASURED_LOGIT, MEASURED_GAP] = [5, 6];

/**
 * Their measured gaps are not predicted: of formulas never taught, intervals held 79.5 % of 88 oxides and 66.7 % of 18 halides, and widths
 * that hold would be 2.5 and 4.5 eV. Of the four other classes they held 92.2 % of 371.
 */
const NO_MEASURED_GAP: ReadonlySet<CompoundClass> = new Set(['oxide', 'halide']);

export interface CompositionPrediction extends Values {
  /** eV, as measured (optical and transport, mostly at room temperature): larger than PBE's. Null for oxides and halides. */
  readonly measuredBandGap: Interval | null;
  /** That a gap is measured at all, 0 to 1. */
  readonly measuredInsulatorProbability: number;
}

/** The composition as the network sees it; amounts above 0, as `parseFormula` gives them. */
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
 * Predicts a composition, in whatever amounts it is written.
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
  // Gaps of PBE are smaller than measured ones: where the two are told the other way round, the interval holds both.
  const { value, high } = values.bandGap;
  const both = measured.value < value ? { ...measured, high: Math.max(measured.high, high) } : measured;
  return {
    ...values,
    measuredBandGap: NO_MEASURED_GAP.has(values.compoundClass) ? null : both,
    measuredInsulatorProbability: chance(logit),
  };
}

// Whether the atoms of a crystal stand as atoms of crystals do. The network's own space does not say it: deaf beyond 5.5 Å, the network
// takes an atom alone in a box for silence, and a sheet or a thread for its crystal. The one rule of the API, of browsers and of searches.

/** Numbers of an element in the ranges of the manifest. */
const RANGES = 4;
/** Distance to the nearest neighbour over the sum of the covalent radii; one in a thousand of 6,025 crystals of the Materials Project lies beyond. */
const NEAREST_BOND = { least: 0.65, most: 2 } as const;
/** Volume of the cell over that of its atoms as spheres of covalent radius; the same share of the same crystals has more. */
const MOST_ROOM = 25;
/** Å, where no covalent radius is tabulated. */
const DEFAULT_RADIUS = 1.5;

const radiusOf = (number: number): number => ELEMENTS[number - 1].covalentRadius ?? DEFAULT_RADIUS;

/**
 * Whether every atom has its nearest neighbour at a bond's length, and it and its crowd (neighbours weighted by (1 + cos πd/R)/2) within the
 * ranges of taught atoms of its element; and whether the cell is no empty box.
 * @param ranges by atomic number least and largest nearest distance (Å) and crowd; a model without them is asked for lengths alone
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
  if (volumePerAtom > MOST_ROOM * spheres) return false;
  return radii.every((radius, node) => {
    let [nearest, bond, crowd] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (let edge = rowStarts[node]; edge < rowStarts[node + 1]; edge++) {
      const distance = distances[edge];
      nearest = Math.min(nearest, distance);
      bond = Math.min(bond, distance / (radius + radii[sources[edge]]));
      crowd += weights[edge] * 0.5 * (1 + Math.cos((Math.PI * distance) / GRAPH_RADIUS));
    }
    if (bond < NEAREST_BOND.least || bond > NEAREST_BOND.most) return false;
    if (!ranges) return true;
    const [low, high, few, many] = ranges.slice(atomicNumbers[node] * RANGES);
    return nearest >= low && nearest <= high && crowd >= few && crowd <= many;
  });
}

export type Prediction = Values;

/** Å within which atoms are copies of each other; coordinates of files are rounded. */
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
 * The primitive cell: intervals depend on the number of atoms, and were calibrated on primitive cells. A cell that is primitive stays as
 * it is.
 */
function primitiveOf(structure: Structure): Structure {
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
 * Predicts a crystal, whichever of its cells is given.
 * @throws PredictionError as `crystalGraph`, and `unknown-element`; CrystalError `structure` for numbers that are not finite
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

// Chances of lying near the hull.

/** y at x on the straight lines between the points (xs, ys); the ends' values outside. */
function between(xs: readonly number[], ys: readonly number[], x: number): number {
  const above = xs.findIndex((known) => known > x);
  if (above === 0) return ys[0];
  if (above < 0) return ys[ys.length - 1];
  const share = (x - xs[above - 1]) / (xs[above] - xs[above - 1]);
  return ys[above - 1] + share * (ys[above] - ys[above - 1]);
}

/**
 * Probability that the true energy lies at most `margin` above a hull (eV/atom): from the errors on calibration systems, then corrected
 * by the share of calibration crystals of which it came true. It holds for crystals as they are in databases, half of which lie within
 * 25 meV; in a list of which fewer are stable, fewer come true.
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
  const told = 1 - between(signedScores, levels, (energyAboveHull - margin) / prediction.expectedError);
  return between(chances.told, chances.found, told);
}
