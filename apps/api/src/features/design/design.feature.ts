/**
 * Design in the api: starts a search for new compounds and shows its progress and results. Workers run the search.
 */
import {
  cancelDesign,
  DESIGN_DEFAULTS,
  DESIGN_LIMITS,
  type DesignCandidate,
  type DesignRequest,
  type DesignRun,
  designStructure,
  getDesign,
  listDesigns,
  startDesign,
} from '@unitcell/contract/design';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction';
import { compositionOf, displayFormula, fromCompactCell, toPymatgenDict, writeCif } from '@unitcell/crystal';
import { chemicalSystems } from '@unitcell/design';
import { ELEMENTS } from '@unitcell/elements';
import { checkFilter, parseFilter } from '@unitcell/filter';
import type { FastifyInstance } from 'fastify';
import { lockLivingAccount } from '../../domain/living-account.ts';
import { requireModel } from '../../domain/prediction/models.ts';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Db } from '../../infra/database.ts';
import { json, now } from '../../infra/sql.ts';
import { refundToken, spendToken } from '../../infra/token-bucket.ts';
import { AppError } from '../../messages/app-error.ts';
import { messageKey, type Translate } from '../../messages/messages.ts';
import { type DesignRunRow, enqueueDesign, jobIdOf, OPEN_STATES, storedRuns } from './design.jobs.ts';
import { DESIGN_FIELDS } from './design.thread.ts';
import { relaxationMessage } from '../../domain/prediction/predictions.ts';

// Rules of searches for new compounds: inputs, limits and access.

/** Budget of searches per account: six at once, then one every ten minutes. */
const BUDGET = { capacity: 6, refillSeconds: 3600 } as const;
const SYMBOLS = new Set(ELEMENTS.map(({ symbol }) => symbol));

/** Number of searches listed. */
const LISTED = 20;

const toRun = (run: DesignRunRow, t: Translate): DesignRun => ({
  id: run.id,
  request: run.request,
  status: run.status,
  progress: run.progress,
  counts: run.counts,
  model: run.model,
  reason: run.reason === '' ? '' : t(messageKey(run.reason), run.reasonParameters),
  created_at: run.createdAt.toISOString(),
  finished_at: run.finishedAt?.toISOString() ?? null,
});

/** Searches of older versions did not relax. */
const NOT_RELAXED = { relaxation: null, relaxation_message: '' };

const toCandidate = (stored: DesignCandidate, t: Translate): DesignCandidate => {
  const candidate = { ...NOT_RELAXED, ...stored };
  return { ...candidate, relaxation_message: relaxationMessage(candidate.relaxation_message, t) };
};

/** @throws AppError design.*; FilterError */
function checkRequest(request: DesignRequest): DesignRequest {
  const { elements, required = [], nelements, filter = '' } = request;
  const unknown = [...elements, ...required].find((symbol) => !SYMBOLS.has(symbol));
  if (unknown !== undefined) throw new AppError('design.unknown-element', { element: unknown });
  const all = [...new Set([...required, ...elements])].sort();
  const { length: systems } = chemicalSystems(all, nelements, required);
  if (systems === 0)
    throw new AppError('design.no-system', { elements: all.length, required: required.length, nelements });
  if (systems > DESIGN_LIMITS.systems)
    throw new AppError('design.too-many-systems', { systems, limit: DESIGN_LIMITS.systems });
  const candidates = request.candidates ?? DESIGN_DEFAULTS.candidates;
  if (candidates > DESIGN_LIMITS.candidates)
    throw new AppError('design.too-many-candidates', { candidates, limit: DESIGN_LIMITS.candidates });
  if (filter.trim() !== '') checkFilter(parseFilter(filter), DESIGN_FIELDS);
  return { ...request, elements: all };
}

/**
 * Stores a search unless the account has one running.
 * @returns its id, or that of the running one
 * @throws AppError auth.invalid when the account is deleted
 */
const store = (
  db: Db,
  accountId: number,
  request: DesignRequest,
): Promise<{ readonly id: number; readonly isNew: boolean }> =>
  db.transaction().execute(async (tx) => {
    // Serialises the account's requests.
    await lockLivingAccount(tx, accountId);
    const open = await tx
      .selectFrom('design_run')
      .select('id')
      .where('account_id', '=', accountId)
      .where('status', 'in', OPEN_STATES)
      .executeTakeFirst();
    if (open) return { ...open, isNew: false };
    const { id } = await tx
      .insertInto('design_run')
      .values({ account_id: accountId, request: json(request) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, isNew: true };
  });

export function designFeature(
  app: FastifyInstance,
  { config, database, queue, completeness }: Services,
): void {
  const { db } = database;

  /** @throws AppError design.not-found */
  async function own(id: number, accountId: number): Promise<DesignRunRow> {
    const run = await storedRuns(db)
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!run) throw new AppError('design.not-found');
    return run;
  }

  serveCall(app, startDesign, async ({ body, identity: { accountId } }) => {
    const checked = checkRequest(body);
    await requireModel(database, config.home);
    const key = `design:account:${accountId}`;
    const spent = await spendToken(db, key, BUDGET);
    if (!spent.allowed)
      throw new AppError('design.budget', { minutes: Math.ceil(spent.retryAfterSeconds / 60) });
    const { id, isNew } = await store(db, accountId, checked);
    if (!isNew) await refundToken(db, key, BUDGET);
    // A search under way is queued again too: the queue may not have taken its job, or a worker died with it.
    await enqueueDesign(queue, id);
    if (!isNew) throw new AppError('design.under-way');
    return { ...done, id };
  });

  serveCall(app, listDesigns, async ({ identity: { accountId }, t }) => {
    const runs = storedRuns(db).where('account_id', '=', accountId).orderBy('id', 'desc').limit(LISTED);
    return { ...done, runs: (await runs.execute()).map((run) => toRun(run, t)) };
  });

  serveCall(app, getDesign, async ({ body: { id }, identity, t }) => {
    const run = await own(id, identity.accountId);
    const rows = await db
      .selectFrom('design_candidate')
      .select('candidate')
      .where('run_id', '=', id)
      .orderBy('rank')
      .execute();
    const candidates = rows.map(({ candidate }) => toCandidate(candidate, t));
    return {
      ...done,
      run: toRun(run, t),
      candidates,
      completeness: await completeness.ofEach(
        PREDICTED_SCALE,
        candidates.map(({ elements }) => elements),
      ),
    };
  });

  serveCall(app, cancelDesign, async ({ body: { id }, identity: { accountId }, t }) => {
    await own(id, accountId);
    const { numUpdatedRows } = await db
      .updateTable('design_run')
      .set({ status: 'cancelled', finished_at: now })
      .where('id', '=', id)
      .where('status', 'in', OPEN_STATES)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('design.over');
    await queue.remove(jobIdOf(id)).catch(() => false);
    return { ...done, run: toRun(await own(id, accountId), t) };
  });

  serveCall(app, designStructure, async ({ body: { id, rank }, identity }) => {
    const { model } = await own(id, identity.accountId);
    const found = await db
      .selectFrom('design_candidate')
      .select(['cell', 'candidate'])
      .where('run_id', '=', id)
      .where('rank', '=', rank)
      .executeTakeFirst();
    if (!found) throw new AppError('design.not-found');
    const structure = fromCompactCell(found.cell);
    const formula = displayFormula(compositionOf(structure));
    const potential = found.candidate.relaxation?.potential;
    const cell = potential ? `relaxed by ${potential}` : 'its volume scaled';
    return {
      ...done,
      formula,
      structure: toPymatgenDict(structure),
      cif: writeCif(structure, {
        name: `${formula}-candidate-${rank}`,
        provenance: {
          source: `guessed by Unitcell: a known crystal with other elements, ${cell}, predicted by model ${model ?? '-'}; neither measured nor calculated (search ${id}, candidate ${rank})`,
        },
      }),
    };
  });
}
