/** From a file or a stored cell to predicted values. Pure but for the weights, which are read once; runs in a worker thread. */
import type { PredictionResult } from '@unitcell/contract';
import {
  atomCount,
  type CompactCell,
  compositionOf,
  CrystalError,
  displayFormula,
  fromCompactCell,
  parseFormula,
  readStructureText,
  type Structure,
} from '@unitcell/crystal';
import { buildHull, decomposition, energyAboveHull } from '@unitcell/phase-equilibria';
import {
  type Model,
  predict,
  type Prediction,
  PredictionError,
  probabilityWithin,
} from '@unitcell/prediction';
import { AppError } from '../../messages/app-error.ts';
import { reasonMessage } from '../query/reason-message.ts';
import type { StoredPhase } from '../thermodynamics/phase-entries.repository.ts';
import { toEntries } from '../thermodynamics/phase-hull.ts';
import type { ModelPlace } from './models.ts';
import { openedModel } from './opened-model.ts';
import { predictedValuesOf, toHundredth, toThousandth } from './predicted-values.ts';

export type GivenStructure =
  | { readonly text: string; readonly name: string }
  | { readonly cell: CompactCell };

/** The stable phases that compete with it. */
export interface Competitors {
  readonly elements: readonly string[];
  readonly phases: readonly StoredPhase[];
}

/** All that follows from structure and competitors. */
export type Predicted = Omit<PredictionResult, 'error' | 'message' | 'hull_message' | 'hull' | 'nearest'> & {
  readonly nearest: readonly Omit<PredictionResult['nearest'][number], 'struct_id'>[];
  readonly hull: Omit<NonNullable<PredictionResult['hull']>, 'functional'> | null;
};

/** @throws AppError prediction.unreadable */
function read(given: GivenStructure): Structure {
  try {
    if ('cell' in given) return fromCompactCell(given.cell);
    return readStructureText(given.text, given.name).structures[0]!.structure;
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('prediction.unreadable', { reason: reasonMessage(error) });
  }
}

/** The elements of a structure that was given. @throws AppError prediction.unreadable */
export const elementsOfGiven = (given: GivenStructure): string[] => Object.keys(compositionOf(read(given)));

/** The energy as it is told, so that the answer's own figures agree. */
function againstHull(
  model: Model,
  prediction: Prediction,
  composition: ReturnType<typeof compositionOf>,
  { elements, phases }: Competitors,
): Predicted['hull'] {
  const hull = buildHull(toEntries(phases, elements), { elements });
  const energy = toThousandth(prediction.formationEnergyPerAtom.value) * atomCount(composition);
  const distance = energyAboveHull(hull, { composition, energy });
  return {
    energy_above_hull: toThousandth(distance),
    probability_within_25_mev: toThousandth(probabilityWithin(model, prediction, distance, 0.025)),
    probability_within_50_mev: toThousandth(probabilityWithin(model, prediction, distance, 0.05)),
    competing_phases: decomposition(hull, composition).map(({ entry, formula, atomicFraction }) => ({
      formula,
      struct_id: entry.structId,
      atomic_fraction: Number(atomicFraction.toFixed(6)),
    })),
  };
}

export interface PredictStructureRequest {
  readonly model: ModelPlace;
  readonly given: GivenStructure;
  readonly competitors: Competitors | null;
}

/** @throws AppError prediction.* */
export function predictStructure({ model: place, given, competitors }: PredictStructureRequest): Predicted {
  const structure = read(given);
  try {
    const model = openedModel(place);
    const prediction = predict(model, structure);
    const composition = compositionOf(structure);
    return {
      formula: displayFormula(composition),
      nsites: structure.sites.length,
      ...predictedValuesOf(prediction, structure),
      nearest: prediction.domain.nearest.map(({ id, formula, distance }) => ({
        id,
        formula: displayFormula(parseFormula(formula)),
        distance: toHundredth(distance),
      })),
      hull: competitors && againstHull(model, prediction, composition, competitors),
      model: place.name,
    };
  } catch (error) {
    if (error instanceof CrystalError)
      throw new AppError('prediction.unreadable', { reason: reasonMessage(error) });
    if (!(error instanceof PredictionError) || error.code === 'model-file') throw error;
    throw new AppError(`prediction.${error.code}`, error.parameters);
  }
}
