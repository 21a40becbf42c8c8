/**
 * Design in the api: start a search for new compounds, follow it, show the results. Workers run the search.
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
import { runDesign } from '@unitcell/contract/jobs';
import type { ListCompleteness } from '@unitcell/contract/phase-diagram';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction';
import { compositionOf, displayFormula, fromCompactCell, toPymatgenDict, writeCif } from '@unitcell/crystal';
import { chemicalSystems } from '@unitcell/design';
import { ELEMENTS } from '@unitcell/elements';
import { checkFilter, parseFilter } from '@unitcell/filter';
import type { StructureJson } from '@unitcell/material';
import type { FastifyInstance } from 'fastify';
import { requireModel } from '../../domain/prediction/models.ts';
import type { Services } from '../../domain/services.ts';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { refundToken, spendToken } from '../../infra/token-bucket.ts';
import { AppError } from '../../messages/app-error.ts';
import { messageKey, type Translate } from '../../messages/messages.ts';
import { DESIGN_FIELDS } from './design.thread.ts';
import { type DesignRepository, designRepository, type StoredRun } from './design.repository.ts';

// Rules of searches for new compounds: inputs, limits and access.

/** Searches per account: a burst, then one every ten minutes. */
const BUDGET = { capacity: 6, refillSeconds: 3600 } as const;
const SYMBOLS = new Set(ELEMENTS.map(({ symbol }) => symbol));

interface DesignsOptions {
  readonly database: Pick<Database, 'db'>;
  readonly repository: DesignRepository;
  readonly queue: Pick<JobQueue, 'enqueue' | 'remove'>;
  readonly completeness: Pick<Completenesses, 'ofEach'>;
  /** Folder of the operator's models. */
  readonly home: string;
}

const jobIdOf = (id: number): string => `design-${id}`;

const toRun = (run: StoredRun, t: Translate): DesignRun => ({
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

type Designs = ReturnType<typeof designs>;

function designs({ database, repository, queue, completeness, home }: DesignsOptions) {
  /** @throws AppError design.not-found */
  async function own(id: number, accountId: number): Promise<StoredRun> {
    const run = await repository.byId(id, accountId);
    if (run === null) throw new AppError('design.not-found');
    return run;
  }

  return {
    /** @throws AppError design.*, prediction.*; FilterError */
    async start(accountId: number, request: DesignRequest): Promise<number> {
      const checked = checkRequest(request);
      await requireModel(database, home);
      const key = `design:account:${accountId}`;
      const spent = await spendToken(database.db, key, BUDGET);
      if (!spent.allowed)
        throw new AppError('design.budget', { minutes: Math.ceil(spent.retryAfterSeconds / 60) });
      const id = await repository.insert(accountId, checked);
      if (id === null) {
        await refundToken(database.db, key, BUDGET);
        throw new AppError('design.under-way');
      }
      await queue.enqueue(runDesign, { runId: id }, { jobId: jobIdOf(id) });
      return id;
    },

    async list(accountId: number, t: Translate): Promise<DesignRun[]> {
      return (await repository.ofAccount(accountId)).map((run) => toRun(run, t));
    },

    /** @throws AppError design.not-found */
    async get(
      id: number,
      accountId: number,
      t: Translate,
    ): Promise<{ run: DesignRun; candidates: DesignCandidate[]; completeness: ListCompleteness }> {
      const run = await own(id, accountId);
      const candidates = await repository.candidates(id);
      const systems = candidates.map(({ elements }) => elements);
      return {
        run: toRun(run, t),
        candidates,
        completeness: await completeness.ofEach(PREDICTED_SCALE, systems),
      };
    },

    /** @throws AppError design.not-found, design.over */
    async cancel(id: number, accountId: number, t: Translate): Promise<DesignRun> {
      await own(id, accountId);
      if (!(await repository.cancel(id))) throw new AppError('design.over');
      await queue.remove(jobIdOf(id)).catch(() => false);
      return toRun(await own(id, accountId), t);
    },

    /** @throws AppError design.not-found */
    async structure(
      id: number,
      rank: number,
      accountId: number,
    ): Promise<{ formula: string; structure: StructureJson; cif: string }> {
      const { model } = await own(id, accountId);
      const cell = await repository.cell(id, rank);
      if (cell === null) throw new AppError('design.not-found');
      const structure = fromCompactCell(cell);
      const formula = displayFormula(compositionOf(structure));
      return {
        formula,
        structure: toPymatgenDict(structure),
        cif: writeCif(structure, {
          name: `${formula}-candidate-${rank}`,
          provenance: {
            source: `guessed by Unitcell: a known crystal with other elements and a scaled volume, predicted by model ${model ?? '-'}; neither measured nor calculated (search ${id}, candidate ${rank})`,
          },
        }),
      };
    },
  };
}

export function designFeature(
  app: FastifyInstance,
  { config, database, queue, completeness }: Services,
): void {
  designRoutes(
    app,
    designs({ database, repository: designRepository(database), queue, completeness, home: config.home }),
  );
}

const done = { error: 'false', message: '' } as const;

function designRoutes(app: FastifyInstance, runs: Designs): void {
  serveCall(app, startDesign, async ({ body, identity }) => ({
    ...done,
    id: await runs.start(identity.accountId, body),
  }));
  serveCall(app, listDesigns, async ({ identity, t }) => ({
    ...done,
    runs: await runs.list(identity.accountId, t),
  }));
  serveCall(app, getDesign, async ({ body, identity, t }) => ({
    ...done,
    ...(await runs.get(body.id, identity.accountId, t)),
  }));
  serveCall(app, cancelDesign, async ({ body, identity, t }) => ({
    ...done,
    run: await runs.cancel(body.id, identity.accountId, t),
  }));
  serveCall(app, designStructure, async ({ body, identity }) => ({
    ...done,
    ...(await runs.structure(body.id, body.rank, identity.accountId)),
  }));
}
