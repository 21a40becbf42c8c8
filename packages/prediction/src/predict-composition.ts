/**
 * Predicted properties of a composition without a structure: those of its lowest crystal, and the measured gap. The network is that of the
 * crystals; every element hears neighbours drawn from the composition, itself among them, at distance 0.
 */
import { atomicFractions, type Composition } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import type { CrystalGraph } from './crystal-graph.ts';
import type { Model } from './read-model.ts';
import { chance, gapInterval, type Interval, mean, type Values, valuesOf } from './values.ts';

/** Raw heads of the measured gap: logit of having one, and its width. */
const [MEASURED_LOGIT, MEASURED_GAP] = [5, 6];

export interface CompositionPrediction extends Values {
  /** eV, as measured (optical and transport, mostly at room temperature): larger than PBE's. */
  readonly measuredBandGap: Interval;
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
  return {
    ...values,
    measuredBandGap: measured.value < value ? { ...measured, high: Math.max(measured.high, high) } : measured,
    measuredInsulatorProbability: chance(logit),
  };
}
