import type { PredictionResult } from '@unitcell/contract/prediction';
import {
  atomCount,
  type CompactCell,
  type Composition,
  compositionOf,
  CrystalError,
  displayFormula,
  fromCompactCell,
  parseFormula,
  readStructureText,
  reducedFormula,
  type Structure,
  writeCif,
} from '@unitcell/crystal';
import { buildHull, energyAboveHull } from '@unitcell/phase-equilibria';
import {
  type CompositionPrediction,
  type Model,
  predict,
  predictComposition,
  type Prediction,
  PredictionError,
  probabilityWithin,
} from '@unitcell/prediction';
import { AppError } from '../../messages/app-error.ts';
import { reasonMessage } from '../query/query-text.ts';
import { mostSimilar, type StoredCell } from '../same-crystal.ts';
import type { StoredPhase } from '../thermodynamics/phase-entries.ts';
import { competingPhases, toEntries } from '../thermodynamics/phase-hull.ts';
import { relaxGuess } from '../potential/relax-guess.ts';
import type { ModelPlace } from './models.ts';
import { attempt, openedModel } from './predict-cells.ts';
import { predictedValuesOf, rounded, toHundredth, toThousandth } from './predicted-values.ts';

/**
 * Predicts values from a file, a stored cell or a formula. Pure except for the weights, which are read once;
 * runs in a worker thread.
 */
type SubjectStructure = { readonly text: string; readonly name: string } | { readonly cell: CompactCell };
/** A crystal, or only a formula. */
export type Subject = SubjectStructure | { readonly formula: string };

/** The stable phases that compete with the crystal or formula. */
export interface Competitors {
  readonly elements: readonly string[];
  readonly phases: readonly StoredPhase[];
}

/** The part of the answer that depends only on structure and competitors. */
export type Predicted = Omit<
  PredictionResult,
  'error' | 'message' | 'struct_id' | 'hull_message' | 'hull' | 'nearest' | 'relaxed' | 'relaxed_message'
> & {
  readonly nearest: readonly Omit<PredictionResult['nearest'][number], 'struct_id'>[];
  readonly hull: PredictedHull | null;
  readonly relaxed:
    | (Omit<NonNullable<PredictionResult['relaxed']>, 'hull'> & { readonly hull: PredictedHull | null })
    | null;
  /** Code of the reason why the relaxation failed. */
  readonly relaxationRefusal: string;
};
type PredictedHull = Omit<NonNullable<PredictionResult['hull']>, 'functional'>;

/** @throws AppError prediction.unreadable */
function read(subject: SubjectStructure): Structure {
  try {
    if ('cell' in subject) return fromCompactCell(subject.cell);
    return readStructureText(subject.text, subject.name).structures[0]!.structure;
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('prediction.unreadable', { reason: reasonMessage(error) });
  }
}

/** @throws AppError prediction.bad-formula */
function readFormula(formula: string): Composition {
  try {
    return parseFormula(formula.trim());
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('prediction.bad-formula', { reason: reasonMessage(error) });
  }
}

const compositionOfSubject = (subject: Subject): Composition =>
  'formula' in subject ? readFormula(subject.formula) : compositionOf(read(subject));

/** The elements of the input. @throws AppError prediction.unreadable, prediction.bad-formula */
export const elementsOfSubject = (subject: Subject): string[] => Object.keys(compositionOfSubject(subject));

/** The formula under which materials with the composition of the input are stored. @throws AppError prediction.unreadable */
export const formulaOfSubject = (subject: SubjectStructure): string =>
  reducedFormula(compositionOf(read(subject)));

/** The stored material that is the same crystal as the input. @throws AppError prediction.unreadable */
export const materialOfSubject = ({
  subject,
  candidates,
}: {
  readonly subject: SubjectStructure;
  readonly candidates: readonly StoredCell[];
}): number | null => mostSimilar(read(subject), candidates)?.structId ?? null;

/** Uses the energy as rounded for the answer, so that the numbers in the answer are consistent. */
function againstHull(
  model: Model,
  prediction: Prediction | CompositionPrediction,
  composition: Composition,
  { elements, phases }: Competitors,
): Predicted['hull'] {
  const hull = buildHull(toEntries(phases, elements), { elements });
  const energy = toThousandth(prediction.formationEnergyPerAtom.value) * atomCount(composition);
  const distance = energyAboveHull(hull, { composition, energy });
  return {
    energy_above_hull: toThousandth(distance),
    probability_within_25_mev: toThousandth(probabilityWithin(model, prediction, distance, 0.025)),
    probability_within_50_mev: toThousandth(probabilityWithin(model, prediction, distance, 0.05)),
    competing_phases: competingPhases(hull, composition),
  };
}

type OfSubject = Pick<Predicted, 'nsites' | 'measured_band_gap' | 'measured_insulator_probability'> & {
  readonly composition: Composition;
  readonly prediction: Prediction | CompositionPrediction;
};

/** @throws AppError prediction.unreadable, prediction.bad-formula; PredictionError */
function predictionOf(model: Model, subject: Subject): OfSubject {
  if (!('formula' in subject)) {
    const structure = read(subject);
    return {
      composition: compositionOf(structure),
      prediction: predict(model, structure),
      nsites: structure.sites.length,
      measured_band_gap: null,
      measured_insulator_probability: null,
    };
  }
  const composition = readFormula(subject.formula);
  const prediction = predictComposition(model, composition);
  const { measuredBandGap: gap, measuredInsulatorProbability: probability } = prediction;
  return {
    composition,
    prediction,
    nsites: null,
    measured_band_gap: gap && rounded(gap, toHundredth),
    measured_insulator_probability: probability && toThousandth(probability),
  };
}

export interface PredictSubjectRequest {
  readonly model: ModelPlace;
  readonly subject: Subject;
  readonly competitors: Competitors | null;
  /** Whether the crystal is also predicted after a relaxation. */
  readonly relax?: boolean;
}

/** The crystal relaxed by the potential, with the predictions for the relaxed crystal. */
function relaxedOf(
  model: Model,
  structure: Structure,
  competitors: Competitors | null,
): Pick<Predicted, 'relaxed' | 'relaxationRefusal'> {
  const guess = relaxGuess(structure);
  if ('refusal' in guess) return { relaxed: null, relaxationRefusal: guess.refusal };
  const composition = compositionOf(guess.structure);
  const prediction = attempt(() => predict(model, guess.structure));
  if ('refusal' in prediction) return { relaxed: null, relaxationRefusal: 'not-predicted' };
  return {
    relaxed: {
      ...guess.change,
      ...predictedValuesOf(prediction),
      hull: competitors && againstHull(model, prediction, composition, competitors),
      cif: writeCif(guess.structure, {
        name: `${displayFormula(composition)}-relaxed`,
        provenance: { source: `relaxed by ${guess.change.potential}; neither measured nor calculated` },
      }),
    },
    relaxationRefusal: '',
  };
}

/** @throws AppError prediction.* */
export function predictSubject({
  model: place,
  subject,
  competitors,
  relax = false,
}: PredictSubjectRequest): Predicted {
  try {
    const model = openedModel(place);
    const { composition, prediction, ...own } = predictionOf(model, subject);
    return {
      formula: displayFormula(composition),
      ...own,
      ...predictedValuesOf(prediction),
      nearest: prediction.domain.nearest.map(({ id, formula, distance }) => ({
        id,
        formula: displayFormula(parseFormula(formula)),
        distance: toHundredth(distance),
      })),
      hull: competitors && againstHull(model, prediction, composition, competitors),
      ...(relax && !('formula' in subject)
        ? relaxedOf(model, read(subject), competitors)
        : { relaxed: null, relaxationRefusal: '' }),
      model: place.name,
    };
  } catch (error) {
    if (error instanceof CrystalError)
      throw new AppError('prediction.unreadable', { reason: reasonMessage(error) });
    if (!(error instanceof PredictionError) || error.code === 'model-file') throw error;
    throw new AppError(`prediction.${error.code}`, error.parameters);
  }
}

/** Worker thread: predicted properties. */
export { predictCells } from './predict-cells.ts';
