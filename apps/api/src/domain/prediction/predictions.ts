/** Predictions for users: input, model, and competing phases. */
import { parseStructId } from '@unitcell/contract/common';
import { PREDICTED_SCALE, type PredictionResult } from '@unitcell/contract/prediction';
import type { CompactCell } from '@unitcell/crystal';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId } from '../../infra/sql.ts';
import type { Caller, ThreadPool } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import { materialsOfFormula } from '../same-crystal.ts';
import type { PhaseEntries } from '../thermodynamics/phase-entries.ts';
import { requireModel } from './models.ts';
import type * as predictionThread from './prediction.thread.ts';
import type { Competitors, Subject } from './prediction.thread.ts';
import { isMessageKey, type Translate } from '../../messages/messages.ts';

/** Why a crystal was not relaxed, from the code of the reason. */
export function relaxationMessage(code: string, t: Translate): string {
  if (code === '') return '';
  const key = `relaxation.${code}`;
  return isMessageKey(key) ? t(key) : t('relaxation.failed', { code });
}

/** SQL for the input of predictions and for the data with which they are compared. */
export type PredictionRepository = ReturnType<typeof predictionRepository>;

/** Number of latest calculations that are compared with their predictions. */
const SCORED = 500;

export function predictionRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    /** The original structure of a material with its current id; ids of merged materials are also accepted. */
    async originalCell(
      structId: number,
    ): Promise<{ readonly structId: number; readonly cell: CompactCell } | null> {
      const found = await readDb
        .selectFrom('material_structure')
        .select(['struct_id as structId', 'given as cell'])
        .where('struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },

    /**
     * Materials of the catalogue by the ids in a model's training data: ids of the Materials Project or of
     * this catalogue.
     */
    async byTrainingId(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const own = ids.flatMap((id) => /^unitcell-(\d{1,9})$/.exec(id)?.[1] ?? []).map(Number);
      const from = (table: 'material' | 'material_record') =>
        readDb
          .selectFrom(table)
          .select(['source_id as id', 'struct_id as structId'])
          .where('source_name', '=', 'Materials Project')
          .where('source_id', '=', anyOf(ids, 'text'));
      const rows = await from('material').unionAll(from('material_record')).execute();
      const here = await readDb
        .selectFrom('material')
        .select('struct_id as structId')
        .where('struct_id', '=', anyOf(own, 'int'))
        .execute();
      return new Map([
        ...rows.map(({ id, structId }) => [id, structId] as const),
        ...here.map(({ structId }) => [`unitcell-${structId}`, structId] as const),
      ]);
    },

    /** Predictions for finished submissions with the energy and gap that were then calculated, newest first. */
    scored() {
      const own = sql<string>`'run4u-' || ${columnsOf('submission')('id')}`;
      const source = columnsOf('material_energy', 'energy')('source');
      return readDb
        .selectFrom('submission_prediction as made')
        .innerJoin('submission', 'submission.id', 'made.submission_id')
        .innerJoin('material', 'material.struct_id', 'submission.struct_id')
        .innerJoin('material_energy as energy', (join) =>
          join.onRef('energy.struct_id', '=', 'material.struct_id').on(sql`${source} ->> 'id'`, '=', own),
        )
        .select(['material.struct_id as structId', 'material.formula', 'made.model', 'made.values'])
        .select(['energy.functional', 'energy.formation_energy_per_atom as formationEnergyPerAtom'])
        .select(({ ref }) =>
          sql<
            number | null
          >`CASE WHEN ${ref('material.source_id')} = ${own} THEN ${ref('material.band_gap')} END`.as(
            'bandGap',
          ),
        )
        .where('submission.status', '=', 'finished')
        .orderBy('submission.finished_at', 'desc')
        .limit(SCORED)
        .execute();
    },
  };
}

// The phases on the model's energy scale that compete with a crystal.

/**
 * The competing phases, or the reason why the catalogue has none. @param leftOut a material whose own energy
 * is excluded
 */
export async function competitorsOf(
  entries: PhaseEntries,
  elements: readonly string[],
  leftOut?: number,
): Promise<{ competitors: Competitors | null; reason: AppError | null }> {
  try {
    const { functional } = await entries.scale(PREDICTED_SCALE);
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

interface PredictionInput {
  readonly structure: string | undefined;
  readonly fileName: string;
  readonly formula: string | undefined;
  readonly structId: string | number | undefined;
  readonly relax: boolean;
}

export type Predictions = ReturnType<typeof predictions>;

interface PredictionsOptions {
  readonly database: Pick<Database, 'db' | 'readDb'>;
  readonly entries: PhaseEntries;
  readonly threads: ThreadPool;
  /** Folder of the operator's models. */
  readonly home: string;
}

export function predictions({ database, entries, threads: pool, home }: PredictionsOptions) {
  const threads = pool.open<typeof predictionThread>(new URL('./prediction.thread.ts', import.meta.url));
  const repository = predictionRepository(database);

  /** The input of the prediction, and the material whose own energy is excluded from the hull. */
  async function subjectOf({
    structure,
    fileName,
    formula,
    structId,
    relax,
  }: PredictionInput): Promise<{ subject: Subject; leftOut?: number }> {
    const given = [
      ...(structure?.trim() ? ['structure'] : []),
      ...(formula?.trim() ? ['formula'] : []),
      ...(structId === undefined ? [] : ['struct_id']),
    ];
    if (given.length > 1) throw new AppError('prediction.several-given', { given: given.join(', ') });
    if (structure?.trim()) return { subject: { text: structure, name: fileName } };
    if (formula?.trim() && relax) throw new AppError('prediction.nothing-to-relax');
    if (formula?.trim()) return { subject: { formula } };
    if (structId === undefined) throw new AppError('prediction.nothing-given');
    const id = parseStructId(structId);
    const stored = id === null ? null : await repository.originalCell(id);
    if (stored === null) throw new AppError('material.not-found', { id: String(structId).slice(0, 20) });
    return { subject: { cell: stored.cell }, leftOut: stored.structId };
  }

  /** The material of the catalogue that is the same crystal. @throws AppError prediction.unreadable */
  async function sameMaterial(subject: { readonly text: string; readonly name: string }, caller: Caller) {
    const formula = await threads.run('formulaOfSubject', subject, caller);
    const candidates = await materialsOfFormula(database.readDb, formula);
    return candidates.length === 0 ? null : threads.run('materialOfSubject', { subject, candidates }, caller);
  }

  /** @throws AppError prediction.* */
  async function ofSubject(
    subject: Subject,
    leftOut: number | undefined,
    t: Translate,
    caller: Caller,
    relax = false,
  ): Promise<PredictionResult> {
    const model = await requireModel(database, home);
    const elements = await threads.run('elementsOfSubject', subject, caller);
    const isElement = elements.length === 1;
    const { competitors, reason } = isElement
      ? { competitors: null, reason: null }
      : await competitorsOf(entries, elements, leftOut);
    const { relaxed, relaxationRefusal, ...predicted } = await threads.run(
      'predictSubject',
      { model, subject, competitors, relax },
      caller,
    );
    const onScale = <Hull extends object>(hull: Hull | null) =>
      hull && { functional: PREDICTED_SCALE, ...hull };
    const known = await repository.byTrainingId(predicted.nearest.map(({ id }) => id));
    return {
      error: 'false',
      message: '',
      ...predicted,
      struct_id: 'text' in subject ? await sameMaterial(subject, caller) : (leftOut ?? null),
      nearest: predicted.nearest.map((crystal) => ({ ...crystal, struct_id: known.get(crystal.id) ?? null })),
      hull: onScale(predicted.hull),
      relaxed: relaxed && { ...relaxed, hull: onScale(relaxed.hull) },
      relaxed_message: relaxationMessage(relaxationRefusal, t),
      hull_message: isElement
        ? t('prediction.element')
        : reason === null
          ? ''
          : t(reason.code, reason.parameters),
    };
  }

  return {
    ofSubject,
    /** @throws AppError prediction.*, material.not-found */
    async predict(input: PredictionInput, t: Translate, caller: Caller): Promise<PredictionResult> {
      const { subject, leftOut } = await subjectOf(input);
      return ofSubject(subject, leftOut, t, caller, input.relax);
    },
  };
}
