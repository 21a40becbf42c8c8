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
  type Interval,
  type Model,
  predict,
  type Prediction,
  PredictionError,
  probabilityWithin,
} from '@unitcell/prediction';
import { openModelInNode } from '@unitcell/prediction/node';
import { reasonMessage } from '../../domain/query/reason-message.ts';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.repository.ts';
import { toEntries } from '../../domain/thermodynamics/phase-hull.ts';
import { AppError } from '../../messages/app-error.ts';
import { isUnlikeCrystals } from './unlike-crystals.ts';

export type GivenStructure =
  | { readonly text: string; readonly name: string }
  | { readonly cell: CompactCell };

/** The stable phases that compete with it. */
export interface Competitors {
  readonly elements: readonly string[];
  readonly phases: readonly StoredPhase[];
}

/** All that follows from structure and competitors. */
export type Predicted = Omit<PredictionResult, 'error' | 'message' | 'hull_message' | 'hull'> & {
  readonly hull: Omit<NonNullable<PredictionResult['hull']>, 'functional'> | null;
};

let opened: Model | undefined;
const model = (): Model => {
  opened ??= openModelInNode();
  return opened;
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

/** Values are told to what they carry: a meV/atom, 0.01 eV, three figures of a modulus, three decimals of a probability. */
const to =
  (decimals: number) =>
  (x: number): number =>
    Number(x.toFixed(decimals));
const [toThousandth, toHundredth] = [to(3), to(2)];
const toThreeFigures = (x: number): number => Number(x.toPrecision(3));

const rounded = ({ value, low, high }: Interval, round: (x: number) => number): Interval => ({
  value: round(value),
  low: round(low),
  high: round(high),
});

/** The energy as it is told, so that the answer's own figures agree. */
function againstHull(
  prediction: Prediction,
  composition: ReturnType<typeof compositionOf>,
  { elements, phases }: Competitors,
): Predicted['hull'] {
  const hull = buildHull(toEntries(phases, elements), { elements });
  const energy = toThousandth(prediction.formationEnergyPerAtom.value) * atomCount(composition);
  const distance = energyAboveHull(hull, { composition, energy });
  return {
    energy_above_hull: toThousandth(distance),
    probability_within_25_mev: toThousandth(probabilityWithin(model(), prediction, distance, 0.025)),
    probability_within_50_mev: toThousandth(probabilityWithin(model(), prediction, distance, 0.05)),
    competing_phases: decomposition(hull, composition).map(({ entry, formula, atomicFraction }) => ({
      formula,
      struct_id: entry.structId,
      atomic_fraction: Number(atomicFraction.toFixed(6)),
    })),
  };
}

/** @throws AppError prediction.* */
export function predictStructure({
  given,
  competitors,
}: {
  readonly given: GivenStructure;
  readonly competitors: Competitors | null;
}): Predicted {
  const structure = read(given);
  try {
    const prediction = predict(model(), structure);
    const composition = compositionOf(structure);
    return {
      formula: displayFormula(composition),
      nsites: structure.sites.length,
      formation_energy_per_atom: rounded(prediction.formationEnergyPerAtom, toThousandth),
      band_gap: rounded(prediction.bandGap, toHundredth),
      insulator_probability: toThousandth(prediction.insulatorProbability),
      bulk_modulus: rounded(prediction.bulkModulus, toThreeFigures),
      shear_modulus: rounded(prediction.shearModulus, toThreeFigures),
      familiarity: isUnlikeCrystals(structure) ? 'outside' : prediction.domain.familiarity,
      nearest: prediction.domain.nearest.map(({ id, formula, distance }) => ({
        id,
        formula: displayFormula(parseFormula(formula)),
        distance: toHundredth(distance),
      })),
      hull: competitors && againstHull(prediction, composition, competitors),
      model: model().manifest.sha256.slice(0, 12),
    };
  } catch (error) {
    if (error instanceof CrystalError)
      throw new AppError('prediction.unreadable', { reason: reasonMessage(error) });
    if (!(error instanceof PredictionError) || error.code === 'model-file') throw error;
    throw new AppError(`prediction.${error.code}`, error.parameters);
  }
}
