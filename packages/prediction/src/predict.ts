/**
 * Predicted properties of a crystal as it is given, with intervals that hold for nine of ten unseen systems.
 *
 * Formation energy: mean of the members; its interval is split conformal (V. Vovk et al., Algorithmic Learning in a Random World,
 * Springer 2005), as wide as the error to expect here times a factor set on calibration systems for the class and the third of that
 * width. The figures reached are in the manifest and in docs/science/prediction.md.
 */
import { chemicalSystem, compositionOf, type Structure } from '@unitcell/crystal';
import { ELEMENTS } from '@unitcell/elements';
import { COMPOUND_CLASSES, type CompoundClass, compoundClass } from './compound-class.ts';
import { type CrystalGraph, crystalGraph } from './crystal-graph.ts';
import { type Domain, domainOf } from './domain.ts';
import { forward } from './forward.ts';
import type { MemberOutput } from './member.ts';
import { PredictionError } from './prediction-error.ts';
import type { Model } from './read-model.ts';

/** Elements in fewer training crystals are not predicted. */
export const MIN_ELEMENT_COUNT = 50;
/** eV/atom added to a spread before its logarithm is taken. */
const SPREAD_FLOOR = 1e-3;

export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Prediction {
  /** eV/atom, PBE and PBE+U in the scheme of the Materials Project of 2018. */
  readonly formationEnergyPerAtom: Interval;
  /** Error to expect, eV/atom: what probabilities are told with. */
  readonly expectedError: number;
  /** Standard deviation of the members, eV/atom. */
  readonly spread: number;
  /** That PBE gives a gap, 0 to 1. */
  readonly insulatorProbability: number;
  /** eV, PBE */
  readonly bandGap: Interval;
  /** GPa, Voigt-Reuss-Hill */
  readonly bulkModulus: Interval;
  readonly shearModulus: Interval;
  readonly compoundClass: CompoundClass;
  readonly domain: Domain;
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const softplus = (x: number): number => Math.log1p(Math.exp(Math.max(-50, Math.min(50, x))));
const silu = (x: number): number => x / (1 + Math.exp(-x));

function checkElements({ manifest }: Model, graph: CrystalGraph): void {
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

/** eV/atom; the error to expect from the small network of the manifest. */
function expectedErrorOf({ manifest }: Model, features: readonly number[]): number {
  const { centre, width, hidden, output } = manifest.interval;
  const inputs = features.map((x, i) => (x - centre[i]) / width[i]);
  let logarithm = output.bias[0];
  hidden.bias.forEach((bias, unit) => {
    const sum = inputs.reduce((total, x, i) => total + x * hidden.weight[unit * inputs.length + i], bias);
    logarithm += output.weight[unit] * silu(sum);
  });
  return Math.exp(logarithm);
}

const around = (value: number, halfWidth: number): Interval => ({
  value,
  low: value - halfWidth,
  high: value + halfWidth,
});

/** GPa from the mean of a head for log10 of a modulus. */
function modulus(
  outputs: readonly MemberOutput[],
  head: number,
  [centre, deviation]: readonly [number, number],
  half: number,
): Interval {
  const log = mean(outputs.map(({ heads }) => heads[head])) * deviation + centre;
  return { value: 10 ** log, low: 10 ** (log - half), high: 10 ** (log + half) };
}

/**
 * Predicts a crystal.
 * @throws PredictionError as `crystalGraph`, and `unknown-element`
 */
export function predict(model: Model, structure: Structure): Prediction {
  const graph = crystalGraph(structure);
  checkElements(model, graph);
  const { elementReferences, interval, scales, metrics } = model.manifest;
  const outputs = model.members.map((member) => forward(member, graph));
  const reference = graph.shares.reduce(
    (sum, share, node) => sum + share * elementReferences[graph.atomicNumbers[node]],
    0,
  );
  const energies = outputs.map(({ energy }) => energy);
  const energy = mean(energies) + reference;
  const spread = Math.sqrt(mean(energies.map((e) => (e - mean(energies)) ** 2)));
  const metalLogit = mean(outputs.map(({ heads }) => heads[0]));
  const gap = mean(outputs.map(({ heads }) => softplus(2 * heads[2]) / 2));
  const elements = chemicalSystem(compositionOf(structure)).split('-');
  const group = compoundClass(elements);
  const domain = domainOf(model, outputs[0].latent);
  const expectedError = expectedErrorOf(model, [
    Math.log(spread + SPREAD_FLOOR),
    Math.log(domain.distance),
    Math.log(structure.sites.length),
    elements.length,
    energy,
    metalLogit,
    gap,
    ...domain.place,
    ...COMPOUND_CLASSES.map((name) => Number(name === group)),
  ]);
  const third = interval.thirds.filter((edge) => expectedError > edge).length;
  const gapHalfWidth = interval.gapHalfWidths[interval.gapEdges.filter((edge) => metalLogit >= edge).length];
  return {
    formationEnergyPerAtom: around(energy, expectedError * interval.factors[group][third]),
    expectedError,
    spread,
    insulatorProbability: 1 / (1 + Math.exp(-metalLogit)),
    bandGap: { value: gap, low: Math.max(0, gap - gapHalfWidth), high: gap + gapHalfWidth },
    bulkModulus: modulus(outputs, 3, scales.log10BulkModulus, metrics.bulkModulus.halfWidthLog10),
    shearModulus: modulus(outputs, 4, scales.log10ShearModulus, metrics.shearModulus.halfWidthLog10),
    compoundClass: group,
    domain,
  };
}

/**
 * Probability that the true energy lies at most `margin` above a hull (eV/atom), from the errors on calibration systems.
 * @param energyAboveHull predicted, eV/atom; negative below the hull
 */
export function probabilityWithin(
  { manifest }: Model,
  prediction: Prediction,
  energyAboveHull: number,
  margin: number,
): number {
  const { signedScores } = manifest.interval;
  const score = (energyAboveHull - margin) / prediction.expectedError;
  const above = signedScores.findIndex((s) => s >= score);
  if (above === 0) return 1;
  if (above < 0) return 0;
  const [low, high] = [signedScores[above - 1], signedScores[above]];
  const place = high > low ? above - 1 + (score - low) / (high - low) : above;
  return 1 - place / (signedScores.length - 1);
}
