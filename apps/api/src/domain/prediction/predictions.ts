/** Predictions for people: of what, by which model, beside which phases. */
import { parseStructId } from '@unitcell/contract/common';
import { PREDICTED_SCALE, type PredictionResult } from '@unitcell/contract/prediction';
import type { Asker } from '../../infra/task-admission.ts';
import type { Database } from '../../infra/database.ts';
import type { ThreadPool } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Translate } from '../../messages/messages.ts';
import type { PhaseEntries } from '../thermodynamics/phase-entries.ts';
import { competitorsOf } from './competitors.ts';
import { requireModel } from './models.ts';
import type { Given } from './predict-given.ts';
import { predictionRepository } from './prediction.repository.ts';
import type * as predictionThread from './prediction.thread.ts';

export interface PredictionInput {
  readonly structure: string | undefined;
  readonly fileName: string;
  readonly formula: string | undefined;
  readonly structId: string | number | undefined;
}

export type Predictions = ReturnType<typeof predictions>;

export interface PredictionsOptions {
  readonly database: Pick<Database, 'db' | 'readDb'>;
  readonly entries: PhaseEntries;
  readonly threads: ThreadPool;
  /** Where an operator's models are. */
  readonly home: string;
}

export function predictions({ database, entries, threads: pool, home }: PredictionsOptions) {
  const threads = pool.open<typeof predictionThread>(new URL('./prediction.thread.ts', import.meta.url));
  const repository = predictionRepository(database);

  /** What is predicted, and the material whose own energy is to be left out of the hull. */
  async function givenOf({
    structure,
    fileName,
    formula,
    structId,
  }: PredictionInput): Promise<{ given: Given; leftOut?: number }> {
    const given = [
      ...(structure?.trim() ? ['structure'] : []),
      ...(formula?.trim() ? ['formula'] : []),
      ...(structId === undefined ? [] : ['struct_id']),
    ];
    if (given.length > 1) throw new AppError('prediction.several-given', { given: given.join(', ') });
    if (structure?.trim()) return { given: { text: structure, name: fileName } };
    if (formula?.trim()) return { given: { formula } };
    if (structId === undefined) throw new AppError('prediction.nothing-given');
    const id = parseStructId(structId);
    const stored = id === null ? null : await repository.givenCell(id);
    if (stored === null) throw new AppError('material.not-found', { id: String(structId).slice(0, 20) });
    return { given: { cell: stored.cell }, leftOut: stored.structId };
  }

  /** @throws AppError prediction.* */
  async function ofGiven(
    given: Given,
    leftOut: number | undefined,
    t: Translate,
    asker: Asker,
  ): Promise<PredictionResult> {
    const model = await requireModel(database, home);
    const elements = await threads.run('elementsOfGiven', given, asker);
    const isElement = elements.length === 1;
    const { competitors, reason } = isElement
      ? { competitors: null, reason: null }
      : await competitorsOf(entries, elements, leftOut);
    const predicted = await threads.run('predictGiven', { model, given, competitors }, asker);
    const known = await repository.byTaughtId(predicted.nearest.map(({ id }) => id));
    return {
      error: 'false',
      message: '',
      ...predicted,
      nearest: predicted.nearest.map((crystal) => ({ ...crystal, struct_id: known.get(crystal.id) ?? null })),
      hull: predicted.hull && { functional: PREDICTED_SCALE, ...predicted.hull },
      hull_message: isElement
        ? t('prediction.element')
        : reason === null
          ? ''
          : t(reason.code, reason.parameters),
    };
  }

  return {
    ofGiven,
    /** @throws AppError prediction.*, material.not-found */
    async predict(input: PredictionInput, t: Translate, asker: Asker): Promise<PredictionResult> {
      const { given, leftOut } = await givenOf(input);
      return ofGiven(given, leftOut, t, asker);
    },
  };
}
