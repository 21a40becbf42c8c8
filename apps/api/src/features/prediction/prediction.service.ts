/** Predictions: of what, beside which phases. */
import { parseStructId, type PredictionResult } from '@unitcell/contract';
import { AppError } from '../../messages/app-error.ts';
import type { Translate } from '../../messages/messages.ts';
import type { PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import type { Asker } from '../../infra/task-admission.ts';
import type { Door } from '../../infra/thread-pool.ts';
import type { Competitors, GivenStructure } from './predict-structure.ts';
import type { PredictionRepository } from './prediction.repository.ts';
import type * as predictionThread from './prediction.thread.ts';

/** The scale of the energies that the model learnt. */
const MODEL_SCALE = 'PBE (MP 2018)';

export interface PredictionInput {
  readonly structure: string | undefined;
  readonly fileName: string;
  readonly structId: string | number | undefined;
}

export type Predictions = ReturnType<typeof predictions>;

export function predictions({
  repository,
  entries,
  threads,
}: {
  readonly repository: PredictionRepository;
  readonly entries: PhaseEntries;
  readonly threads: Door<typeof predictionThread>;
}) {
  /** What is predicted, and the material whose own energy is to be left out of the hull. */
  async function givenOf({
    structure,
    fileName,
    structId,
  }: PredictionInput): Promise<{ given: GivenStructure; leftOut?: number }> {
    if (structure?.trim()) return { given: { text: structure, name: fileName } };
    if (structId === undefined) throw new AppError('prediction.nothing-given');
    const id = parseStructId(structId);
    const stored = id === null ? null : await repository.givenCell(id);
    if (stored === null) throw new AppError('material.not-found', { id: String(structId).slice(0, 20) });
    return { given: { cell: stored.cell }, leftOut: stored.structId };
  }

  /** The phases of the model's scale; a reason where the catalogue has none. */
  async function competitorsOf(
    elements: readonly string[],
    leftOut: number | undefined,
  ): Promise<{ competitors: Competitors | null; reason: AppError | null }> {
    try {
      const { functional } = await entries.scale(MODEL_SCALE);
      const phases =
        leftOut === undefined
          ? await entries.stablePhases(functional, elements)
          : (await entries.phases(functional, elements)).filter(({ structId }) => structId !== leftOut);
      return { competitors: { elements, phases }, reason: null };
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('phase.')) throw error;
      return { competitors: null, reason: error };
    }
  }

  return {
    /** @throws AppError prediction.*, material.not-found */
    async predict(input: PredictionInput, t: Translate, asker: Asker): Promise<PredictionResult> {
      const { given, leftOut } = await givenOf(input);
      const elements = await threads.run('elementsOfGiven', given, asker);
      const { competitors, reason } = await competitorsOf(elements, leftOut);
      const predicted = await threads.run('predictStructure', { given, competitors }, asker);
      return {
        error: 'false',
        message: '',
        ...predicted,
        hull: predicted.hull && { functional: MODEL_SCALE, ...predicted.hull },
        hull_message: reason === null ? '' : t(reason.code, reason.parameters),
      };
    },
  };
}
