/**
 * Computes values with intervals from the outputs of the members, for both crystals and compositions.
 *
 * The interval of the energy is cross-conformal (V. Vovk, Ann. Math. Artif. Intell. 74 (2015) 9,
 * doi:10.1007/s10472-013-9368-4): its half width is the expected error times a factor calibrated for the
 * class and the third of that width.
 */
import { ELEMENTS } from '@unitcell/elements';
import type { CrystalGraph } from './crystal-graph.ts';
import type { MemberOutput } from './member.ts';
import { COMPOUND_CLASSES, type CompoundClass, compoundClass, type ModelManifest } from './model-file.ts';
import { PredictionError } from './prediction-error.ts';
import type { Predictor } from './read-model.ts';

// Distance of a crystal from the training data in the network's latent space, and its nearest training
// crystals.

const NEAREST = 5;

export interface KnownCrystal {
  /** Materials Project id of the training crystal. */
  readonly id: string;
  readonly formula: string;
  /** Distance in whitened principal components. */
  readonly distance: number;
}

/**
 * `near`: nearer than 90 % of the calibration crystals; `edge`: nearer than 99 %; `outside`: further away, or with
 * unusual atomic environments (`isUsual`).
 */
export type Familiarity = 'near' | 'edge' | 'outside';

export interface Domain {
  /** Whitened principal components of the latent state. */
  readonly place: Float64Array;
  /** Mean distance to the five nearest training crystals. */
  readonly distance: number;
  /** Mean error of the trained network for these five, eV/atom. */
  readonly nearbyError: number;
  readonly familiarity: Familiarity;
  readonly nearest: readonly KnownCrystal[];
}

/** Finds the position of a latent state among the training rows. */
export function domainOf(
  { manifest, places, errors }: Predictor,
  latent: Float64Array,
  isAsTaught: boolean,
): Domain {
  const { mean, components, quantiles, known } = manifest.domain;
  const size = components.length / mean.length;
  const place = new Float64Array(size);
  for (let k = 0; k < size; k++)
    for (let c = 0; c < mean.length; c++) place[k] += components[k * mean.length + c] * (latent[c] - mean[c]);
  const nearest: { index: number; square: number }[] = [];
  // Most rows are already too far away after a few components, so the sum is compared with the limit after
  // every fourth component.
  let farthest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < known.length; index++) {
    const at = index * size;
    let square = 0;
    for (let k = 0; k < size && square < farthest; )
      for (const end = Math.min(k + 4, size); k < end; k++) {
        const difference = place[k] - places[at + k];
        square += difference * difference;
      }
    if (square >= farthest) continue;
    nearest.push({ index, square });
    nearest.sort((a, b) => a.square - b.square);
    nearest.length = Math.min(nearest.length, NEAREST);
    if (nearest.length === NEAREST) farthest = nearest[NEAREST - 1].square;
  }
  const mid = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const distance = mid(nearest.map(({ square }) => Math.sqrt(square)));
  const isOutside = distance > quantiles[2] || !isAsTaught;
  return {
    place,
    distance,
    nearbyError: mid(nearest.map(({ index }) => errors[index])),
    familiarity: isOutside ? 'outside' : distance <= quantiles[1] ? 'near' : 'edge',
    nearest: nearest.map(({ index, square }) => {
      const [id, formula] = known[index].split(' ');
      return { id, formula, distance: Math.sqrt(square) };
    }),
  };
}

/** Elements that occur in fewer training rows are not predicted. */
export const MIN_ELEMENT_COUNT = 50;
/**
 * Constants added before logarithms are taken: the first to the members' spread (eV/atom) and to distances, the
 * second to errors of nearby rows (eV/atom).
 */
const [SPREAD_FLOOR, ERROR_FLOOR] = [1e-3, 5e-3];
/** Features of the width are clipped at this many standard deviations from the mean of the calibration rows. */
const FARTHEST_FEATURE = 6;

export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Values predicted for both crystals and compositions. */
export interface Values {
  /**
   * eV/atom, PBE and PBE+U in the scheme of the Materials Project of 2018. For an element it is 0 without an interval,
   * by definition.
   */
  readonly formationEnergyPerAtom: Interval;
  /**
   * The error that nine of ten rows are expected not to exceed, before the factors for class and third are
   * applied, eV/atom; used for probabilities.
   */
  readonly expectedError: number;
  /** Standard deviation of the members' energies, eV/atom. */
  readonly spread: number;
  /** Probability of a gap in PBE, 0 to 1. */
  readonly insulatorProbability: number;
  /** eV, PBE */
  readonly bandGap: Interval;
  /** GPa, Voigt-Reuss-Hill */
  readonly bulkModulus: Interval;
  readonly shearModulus: Interval;
  readonly compoundClass: CompoundClass;
  readonly domain: Domain;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, x) => sum + x, 0) / values.length;
const softplus = (x: number): number => Math.log1p(Math.exp(Math.max(-50, Math.min(50, x))));
const silu = (x: number): number => x / (1 + Math.exp(-x));
export const chance = (logit: number): number => 1 / (1 + Math.exp(-logit));

function checkElements({ manifest }: Predictor, graph: CrystalGraph): void {
  for (const number of graph.atomicNumbers) {
    const count = manifest.elementCounts[number] ?? 0;
    if (count >= MIN_ELEMENT_COUNT) continue;
    const element = ELEMENTS[number - 1].symbol;
    throw new PredictionError(
      'unknown-element',
      `${element} is in ${count} crystals of the training data; the model predicts elements that are in at least ${MIN_ELEMENT_COUNT}`,
      { element, count, limit: MIN_ELEMENT_COUNT },
    );
  }
}

/** Expected error in eV/atom, from the width networks of the manifest. */
function expectedErrorOf({ manifest }: Predictor, features: readonly number[]): number {
  const { centre, width, hidden, output } = manifest.interval;
  const inputs = features.map((x, i) =>
    Math.max(-FARTHEST_FEATURE, Math.min(FARTHEST_FEATURE, (x - centre[i]) / width[i])),
  );
  let logarithm = output.bias[0];
  hidden.bias.forEach((bias, unit) => {
    let sum = bias;
    for (let i = 0; i < inputs.length; i++) sum += inputs[i] * hidden.weight[unit * inputs.length + i];
    logarithm += output.weight[unit] * silu(sum);
  });
  return Math.exp(logarithm);
}

/**
 * The gap of a softplus head in eV. The width of its interval depends on its size, the logit of having a gap, and the
 * class.
 */
export function gapInterval(
  { manifest }: Predictor,
  heads: readonly MemberOutput['heads'][],
  logit: number,
  head: number,
  widths: ModelManifest['interval']['gapHalfWidths'] = manifest.interval.gapHalfWidths,
  group: CompoundClass = 'other',
): Interval {
  const value = mean(heads.map((raw) => softplus(2 * raw[head]) / 2));
  const { gapEdges, gapSizes = [] } = manifest.interval;
  const sure = gapEdges.filter((edge) => logit >= edge).length;
  const size = gapSizes.filter((least) => value >= least).length;
  // A predicted gap with a probability below one half is contradictory, so these gaps have a separate bin.
  const bin = size === 0 ? sure : gapEdges.length + 1 + (logit < 0 ? 0 : size);
  const half = isByClass(widths) ? widths[group][bin] : widths[sure];
  return { value, low: Math.max(0, value - half), high: value + half };
}

const isByClass = (
  widths: ModelManifest['interval']['gapHalfWidths'],
): widths is Readonly<Record<CompoundClass, readonly number[]>> => !Array.isArray(widths);

/** A modulus in GPa, from the mean of a head for its log10. */
function modulus(
  heads: readonly MemberOutput['heads'][],
  head: number,
  [centre, deviation]: readonly [number, number],
  half: number,
): Interval {
  const log = mean(heads.map((raw) => raw[head])) * deviation + centre;
  return { value: 10 ** log, low: 10 ** (log - half), high: 10 ** (log + half) };
}

/**
 * The values of a predictor for a graph, and the outputs of its members.
 * @param extra features of the width in addition to those of every row
 * @param isAsTaught whether the atomic environments of the graph are like those of the training crystals
 * @throws PredictionError `unknown-element`
 */
export function valuesOf(
  predictor: Predictor,
  scales: ModelManifest['scales'],
  graph: CrystalGraph,
  extra: readonly number[],
  isAsTaught = true,
): { readonly values: Values; readonly outputs: readonly MemberOutput[] } {
  checkElements(predictor, graph);
  const { elementReferences, elementCounts, interval } = predictor.manifest;
  const outputs = predictor.evaluate(graph);
  const heads = outputs.map((output) => output.heads);
  const reference = graph.shares.reduce(
    (sum, share, node) => sum + share * elementReferences[graph.atomicNumbers[node]],
    0,
  );
  const energies = outputs.map(({ energy }) => energy);
  const energy = mean(energies) + reference;
  const spread = Math.sqrt(mean(energies.map((e) => (e - mean(energies)) ** 2)));
  const logit = mean(heads.map((raw) => raw[0]));
  const numbers = [...new Set(graph.atomicNumbers)];
  const group = compoundClass(numbers.map((number) => ELEMENTS[number - 1].symbol));
  const bandGap = gapInterval(predictor, heads, logit, 2, interval.gapHalfWidths, group);
  const domain = domainOf(predictor, outputs[0].latent, isAsTaught);
  const expectedError = expectedErrorOf(predictor, [
    Math.log(spread + SPREAD_FLOOR),
    Math.log(domain.distance + SPREAD_FLOOR),
    Math.log(domain.nearbyError + ERROR_FLOOR),
    Math.log(Math.min(...numbers.map((number) => elementCounts[number])) + 1),
    numbers.length,
    energy,
    logit,
    bandGap.value,
    ...domain.place,
    ...COMPOUND_CLASSES.map((name) => Number(name === group)),
    ...extra,
  ]);
  const third = interval.thirds.filter((edge) => expectedError > edge).length;
  const half = expectedError * interval.factors[group][third];
  const isElement = numbers.length === 1;
  return {
    outputs,
    values: {
      formationEnergyPerAtom: isElement
        ? { value: 0, low: 0, high: 0 }
        : { value: energy, low: energy - half, high: energy + half },
      expectedError,
      spread,
      insulatorProbability: chance(logit),
      bandGap,
      bulkModulus: modulus(heads, 3, scales.log10BulkModulus, interval.log10BulkModulus),
      shearModulus: modulus(heads, 4, scales.log10ShearModulus, interval.log10ShearModulus),
      compoundClass: group,
      domain,
    },
  };
}
