/** Design in the worker; worker.ts registers it. */
import {
  DESIGN_DEFAULTS,
  DESIGN_LIMITS,
  type DesignCounts,
  type DesignRequest,
} from '@unitcell/contract/design';
import { runDesign } from '@unitcell/contract/jobs';
import { atomCount, fromCompactCell, isOrdered, parseFormula } from '@unitcell/crystal';
import { chemicalSystems, type Template } from '@unitcell/design';
import { parseFilter } from '@unitcell/filter';
import type { Config } from '../../config/config.ts';
import { type ModelPlace, requireModel } from '../../domain/prediction/models.ts';
import type { Competitors } from '../../domain/prediction/prediction.thread.ts';
import { competitorsOf } from '../../domain/prediction/predictions.ts';
import {
  type PhaseEntries,
  phaseEntries,
  phaseEntriesRepository,
} from '../../domain/thermodynamics/phase-entries.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import { handles, type JobRegistration } from '../../infra/queue.ts';
import { type ThreadHandle, openThreadPool, type ThreadPool } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import { type DesignRepository, designRepository } from './design.repository.ts';
import type * as designThread from './design.thread.ts';
import { type Evaluated, ionsOfFilter } from './design.thread.ts';

/** A search task takes seconds; after this time it counts as hung. */
const TASK_SECONDS = 120;

interface DesignJobsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly caches: CatalogueCaches;
}

export function designJobs({ config, database, caches }: DesignJobsOptions): JobRegistration[] {
  const repository = designRepository(database);
  const entries = phaseEntries(phaseEntriesRepository(database), caches, config.defaultFunctional);
  return [
    handles(runDesign, async ({ runId }, { signal, log }) => {
      const run = await repository.byId(runId, null);
      if (run === null) return;
      const pool = openThreadPool({ taskSeconds: TASK_SECONDS });
      try {
        const model = await requireModel(database, config.home);
        if (!(await repository.begin(runId, model.name))) return;
        const handle = pool.open<typeof designThread>(new URL('./design.thread.ts', import.meta.url));
        const search = runDesignWith({
          repository,
          entries,
          threads: { ...handle, size: pool.size },
          model,
          signal,
        });
        await search(runId, run.request);
      } catch (error) {
        // If the worker stops, another one continues the search; any other error ends it with a message.
        if (signal.aborted) throw error;
        const isExpected = error instanceof AppError;
        if (!isExpected) log.error({ err: error, runId }, 'search for new compounds failed');
        await repository.fail(runId, isExpected ? error.code : 'design.failed');
      } finally {
        await pool.close();
      }
    }),
  ];
}

// ── The steps of a search for new compounds; slow work runs in threads ──

/** Proposals per thread task; half a second of work. */
const SHARE = 50;
/** Formulas compared per thread task. */
const COMPARED_FORMULAS = 20;
/** Progress at which each part ends, for the progress bar. */
const PROPOSED = 0.1;
const EVALUATED = 0.85;

interface RunDesignOptions {
  readonly repository: DesignRepository;
  readonly entries: PhaseEntries;
  readonly threads: ThreadHandle<typeof designThread> & Pick<ThreadPool, 'size'>;
  readonly model: ModelPlace;
  readonly signal: AbortSignal;
}

/** The search was cancelled: its results are discarded. */
class Cancelled extends Error {}

function templateOf(row: Awaited<ReturnType<DesignRepository['templates']>>[number]): Template {
  const unit = parseFormula(row.formulaReduced);
  const units = row.nSites / atomCount(unit);
  return {
    id: row.structId,
    prototype: row.prototype,
    composition: Object.fromEntries(Object.entries(unit).map(([element, n]) => [element, n * units])),
  };
}

/** Ordered crystals only: a disordered crystal has no definite sites to substitute. */
const isWhole = ({ composition }: Template): boolean =>
  Object.values(composition).every((amount) => Math.abs(amount - Math.round(amount)) < 1e-6);

/** Stable phases of every chemical system, with the ions whose windows are requested. */
async function competitorsBySystem(
  entries: PhaseEntries,
  systems: readonly (readonly string[])[],
  ions: readonly string[],
): Promise<Record<string, Competitors>> {
  const found: Record<string, Competitors> = {};
  for (const system of systems) {
    const elements = [...new Set([...system, ...ions])];
    const { competitors } = await competitorsOf(entries, elements);
    if (competitors) found[[...system].sort().join('-')] = competitors;
  }
  return found;
}

function runDesignWith({ repository, entries, threads, model, signal }: RunDesignOptions) {
  /** Evaluates proposals in batches. */
  async function evaluateAll(
    id: number,
    { filter: text = '', ...request }: DesignRequest,
    found: Awaited<ReturnType<typeof proposals>>,
    counts: DesignCounts,
  ): Promise<{ evaluated: Evaluated[]; counts: DesignCounts }> {
    const filter = text.trim() === '' ? null : parseFilter(text).tree;
    const ions = ionsOfFilter(text);
    const systems = chemicalSystems(request.elements, request.nelements, request.required);
    const competitors = await competitorsBySystem(entries, systems, ions);
    const ids = [...new Set(found.map(({ templateId }) => templateId))];
    const cells = new Map((await repository.templateCells(ids)).map((row) => [row.structId, row]));
    const work = found.flatMap((proposal) => {
      const template = cells.get(proposal.templateId);
      return template && isOrdered(fromCompactCell(template.cell)) ? [{ proposal, template }] : [];
    });
    const evaluated: Evaluated[] = [];
    const sums = { predicted: 0, refused: 0, filtered: 0, without_hull: 0 };
    const round = SHARE * threads.size;
    for (let from = 0; from < work.length; from += round) {
      signal.throwIfAborted();
      const parts = Array.from({ length: threads.size }, (_, part) =>
        work.slice(from + part * SHARE, from + (part + 1) * SHARE),
      ).filter(({ length }) => length > 0);
      const results = await Promise.all(
        parts.map((part) => {
          const own = new Set(part.map(({ proposal }) => Object.keys(proposal.composition).sort().join('-')));
          return threads.run('evaluateProposals', {
            model,
            proposals: part,
            competitors: Object.fromEntries(
              Object.entries(competitors).filter(([system]) => own.has(system)),
            ),
            filter,
            ions,
          });
        }),
      );
      for (const result of results) {
        evaluated.push(...result.evaluated);
        sums.refused += result.refused;
        sums.filtered += result.filtered;
        sums.without_hull += result.withoutHull;
      }
      sums.predicted = Math.min(from + round, work.length) - sums.refused - sums.without_hull;
      const progress =
        PROPOSED + ((EVALUATED - PROPOSED) * Math.min(from + round, work.length)) / work.length;
      if (!(await repository.report(id, progress, { ...counts, ...sums }))) throw new Cancelled();
    }
    return { evaluated, counts: { ...counts, ...sums } };
  }

  async function proposals(request: DesignRequest, counts: DesignCounts) {
    const rows = await repository.templates(request.nelements, request.max_atoms ?? DESIGN_DEFAULTS.atoms);
    const templates = rows.map(templateOf).filter(isWhole);
    const systems = chemicalSystems(request.elements, request.nelements, request.required);
    const limit = Math.min(request.candidates ?? DESIGN_DEFAULTS.candidates, DESIGN_LIMITS.candidates);
    const made = await threads.run('proposeCompounds', { templates, systems, limit });
    Object.assign(counts, {
      templates: templates.length,
      considered: made.considered,
      unbalanced: made.unbalanced,
    });
    return made.proposals;
  }

  /** Removes duplicates, best candidates first, and finds those already in the catalogue. */
  async function distinct(evaluated: readonly Evaluated[]) {
    // Candidates outside the model's knowledge rank last.
    const isUnknown = ({ candidate }: Evaluated): number =>
      Number(candidate.predicted.familiarity === 'outside');
    const ranked = [...evaluated].sort(
      (a, b) =>
        isUnknown(a) - isUnknown(b) ||
        a.candidate.energy_above_hull - b.candidate.energy_above_hull ||
        a.candidate.distance - b.candidate.distance,
    );
    const formulas = [...new Set(ranked.map(({ formulaReduced }) => formulaReduced))];
    const stored = await repository.knownCells(formulas);
    const groups = formulas.map((formula) => ({
      members: ranked.filter(({ formulaReduced }) => formulaReduced === formula),
      known: stored.filter(({ formulaReduced }) => formulaReduced === formula),
    }));
    const verdicts = new Map<Evaluated, { readonly isDouble: boolean; readonly knownId: number | null }>();
    for (let from = 0; from < groups.length; from += COMPARED_FORMULAS * threads.size) {
      signal.throwIfAborted();
      const parts = Array.from({ length: threads.size }, (_, part) =>
        groups.slice(from + part * COMPARED_FORMULAS, from + (part + 1) * COMPARED_FORMULAS),
      );
      await Promise.all(
        parts.map(async (part) => {
          const results = await threads.run(
            'distinctCandidates',
            part.map(({ members, known }) => ({ candidates: members.map(({ cell }) => cell), known })),
          );
          for (const [group, { members }] of part.entries())
            for (const [place, member] of members.entries()) {
              const { sameAs, knownId } = results[group]![place]!;
              verdicts.set(member, { isDouble: sameAs !== null, knownId });
            }
        }),
      );
    }
    return ranked.map((one) => ({ ...one, ...verdicts.get(one)! }));
  }

  /** Runs a search to its end. A cancelled search stores nothing. */
  return async function run(id: number, request: DesignRequest): Promise<void> {
    try {
      const counts: DesignCounts = {};
      const proposed = await proposals(request, counts);
      if (!(await repository.report(id, PROPOSED, counts))) return;
      const { evaluated, counts: evaluatedCounts } = await evaluateAll(id, request, proposed, counts);
      const all = await distinct(evaluated);
      const own = all.filter(({ isDouble }) => !isDouble);
      const known = own.filter(({ knownId }) => knownId !== null).length;
      const kept = own
        .filter(({ knownId }) => request.include_known === true || knownId === null)
        .slice(0, DESIGN_LIMITS.kept);
      await repository.finish(
        id,
        { ...evaluatedCounts, duplicates: all.length - own.length, known, kept: kept.length },
        kept.map(({ candidate, cell, knownId }, index) => ({
          candidate: { rank: index + 1, ...candidate, known_struct_id: knownId },
          cell,
        })),
      );
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  };
}
