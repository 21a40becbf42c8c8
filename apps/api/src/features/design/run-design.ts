/** The steps of a search for new compounds; slow work runs in threads. */
import {
  DESIGN_DEFAULTS,
  DESIGN_LIMITS,
  type DesignCandidate,
  type DesignCounts,
  type DesignRequest,
} from '@unitcell/contract/design';
import { atomCount, type CompactCell, fromCompactCell, isOrdered, parseFormula } from '@unitcell/crystal';
import { chemicalSystems, type Template } from '@unitcell/design';
import { parseFilter } from '@unitcell/filter';
import type { ModelPlace } from '../../domain/prediction/models.ts';
import type { Competitors } from '../../domain/prediction/prediction.thread.ts';
import { competitorsOf } from '../../domain/prediction/predictions.ts';
import type { PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import type { Db } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';
import { TaskRefused, type ThreadHandle, type ThreadPool } from '../../infra/thread-pool.ts';
import type * as designThread from './design.thread.ts';
import { type Evaluated, ionsOfFilter } from './design.thread.ts';

/** Proposals per thread task; half a second of work. */
const SHARE = 50;
/** Formulas compared per thread task. */
const COMPARED_FORMULAS = 20;
/** Progress at the end of each part, for the progress bar: most of the time is spent on relaxations. */
const PROPOSED = 0.05;
const EVALUATED = { relaxing: 0.3, ranking: 0.85 } as const;
const RELAXED = 0.95;
/** Candidates that are still waiting after this time are not relaxed. */
const RELAXING_SECONDS = 600;

interface RunDesignOptions {
  /** Pool for reading the catalogue. */
  readonly readDb: Db;
  readonly entries: PhaseEntries;
  readonly threads: ThreadHandle<typeof designThread> & Pick<ThreadPool, 'size'>;
  readonly model: ModelPlace;
  readonly signal: AbortSignal;
  /** Stores the progress. @returns false when the search was cancelled meanwhile */
  readonly report: (progress: number, counts: DesignCounts) => Promise<boolean>;
}

export interface DesignResult {
  readonly counts: DesignCounts;
  /** The best candidates first. */
  readonly found: readonly { readonly candidate: DesignCandidate; readonly cell: CompactCell }[];
}

/** The search was cancelled: its results are discarded. */
class Cancelled extends Error {}

/** Known crystals used as templates, most stable first. */
const MAX_TEMPLATES = 20_000;

/** Crystals with this number of elements. */
async function templatesOf(readDb: Db, nElements: number, maxAtoms: number): Promise<Template[]> {
  const rows = await readDb
    .selectFrom('material')
    .innerJoin('structure_arrangement as arrangement', 'arrangement.struct_id', 'material.struct_id')
    .select(['material.struct_id as structId', 'formula_reduced as formulaReduced', 'nsites as nSites'])
    .select('arrangement.prototype')
    .where('nelements', '=', nElements)
    .where('nsites', '<=', maxAtoms)
    .orderBy('energy_above_hull', (order) => order.asc().nullsLast())
    .orderBy('material.struct_id')
    .limit(MAX_TEMPLATES)
    .execute();
  return rows.map(({ structId, formulaReduced, nSites, prototype }) => {
    const unit = parseFormula(formulaReduced);
    const units = nSites / atomCount(unit);
    return {
      id: structId,
      prototype,
      composition: Object.fromEntries(Object.entries(unit).map(([element, n]) => [element, n * units])),
    };
  });
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

const isRelaxing = ({ relax }: DesignRequest): boolean => relax !== false;

/** Order: candidates unfamiliar to the model last, relaxed candidates first, then by energy above the hull. */
function byRank({ candidate: a }: Evaluated, { candidate: b }: Evaluated): number {
  const isUnknown = ({ predicted }: Evaluated['candidate']): number =>
    Number(predicted.familiarity === 'outside');
  const isGuess = ({ relaxation }: Evaluated['candidate']): number => Number(relaxation === null);
  return (
    isUnknown(a) - isUnknown(b) ||
    isGuess(a) - isGuess(b) ||
    a.energy_above_hull - b.energy_above_hull ||
    a.distance - b.distance
  );
}

type Ranked = Evaluated & { readonly isDouble: boolean; readonly knownId: number | null };

/** Returns a function that runs a search with these resources. */
export function designSearch({ readDb, entries, threads, model, signal, report }: RunDesignOptions) {
  /** Data with which all candidates of a search are compared. */
  async function contextOf({ filter: text = '', ...request }: DesignRequest) {
    const ions = ionsOfFilter(text);
    const systems = chemicalSystems(request.elements, request.nelements, request.required);
    return {
      model,
      filter: text.trim() === '' ? null : parseFilter(text).tree,
      ions,
      competitors: await competitorsBySystem(entries, systems, ions),
    };
  }
  type Context = Awaited<ReturnType<typeof contextOf>>;

  /** Evaluates proposals in batches. @param end progress at the end */
  async function evaluateAll(
    { competitors, ...context }: Context,
    found: Awaited<ReturnType<typeof proposals>>,
    counts: DesignCounts,
    end: number,
  ): Promise<{ evaluated: Evaluated[]; counts: DesignCounts }> {
    const ids = [...new Set(found.map(({ templateId }) => templateId))];
    const stored = await readDb
      .selectFrom('material')
      .innerJoin('material_structure as structure', 'structure.struct_id', 'material.struct_id')
      .select(['material.struct_id as structId', 'formula', 'space_group as spaceGroup'])
      .select('structure.primitive as cell')
      .where('material.struct_id', '=', anyOf(ids, 'int'))
      .execute();
    const cells = new Map(stored.map((row) => [row.structId, row]));
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
            ...context,
            proposals: part,
            competitors: Object.fromEntries(
              Object.entries(competitors).filter(([system]) => own.has(system)),
            ),
          });
        }),
      );
      for (const result of results) {
        evaluated.push(...result.evaluated);
        sums.refused += result.refused;
        sums.filtered += result.filtered;
        sums.without_hull += result.withoutHull;
      }
      sums.predicted = evaluated.length;
      const progress = PROPOSED + ((end - PROPOSED) * Math.min(from + round, work.length)) / work.length;
      if (!(await report(progress, { ...counts, ...sums }))) throw new Cancelled();
    }
    return { evaluated, counts: { ...counts, ...sums } };
  }

  async function proposals(request: DesignRequest, counts: DesignCounts) {
    const maxAtoms = request.max_atoms ?? DESIGN_DEFAULTS.atoms;
    const templates = (await templatesOf(readDb, request.nelements, maxAtoms)).filter(isWhole);
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
  async function distinct(evaluated: readonly Evaluated[]): Promise<Ranked[]> {
    const ranked = [...evaluated].sort(byRank);
    const formulas = [...new Set(ranked.map(({ formulaReduced }) => formulaReduced))];
    const stored = await readDb
      .selectFrom('material')
      .innerJoin('material_structure as structure', 'structure.struct_id', 'material.struct_id')
      .select(['material.struct_id as structId', 'formula_reduced as formulaReduced'])
      .select('structure.primitive as cell')
      .where('formula_reduced', '=', anyOf(formulas, 'text'))
      .orderBy('material.struct_id')
      .execute();
    const groups = formulas.map((formula) => ({
      members: ranked.filter(({ formulaReduced }) => formulaReduced === formula),
      known: stored.filter(({ formulaReduced }) => formulaReduced === formula),
    }));
    const verdicts = new Map<Evaluated, { readonly isDouble: boolean; readonly knownId: number | null }>();
    for (let from = 0; from < groups.length; from += COMPARED_FORMULAS * threads.size) {
      signal.throwIfAborted();
      const parts = Array.from({ length: threads.size }, (_, part) =>
        groups.slice(from + part * COMPARED_FORMULAS, from + (part + 1) * COMPARED_FORMULAS),
      ).filter(({ length }) => length > 0);
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

  /** Relaxes candidates, each in a thread of its own, and predicts them again. */
  async function relaxAll(
    { competitors, ...context }: Context,
    guesses: readonly Evaluated[],
    counts: DesignCounts,
  ): Promise<Evaluated[]> {
    const results = [...guesses];
    const until = performance.now() + 1000 * RELAXING_SECONDS;
    let [next, ended, relaxed] = [0, 0, 0];
    const relaxOne = async (evaluated: Evaluated): Promise<Evaluated> => {
      const late = { ...evaluated, candidate: { ...evaluated.candidate, relaxation_message: 'time-limit' } };
      const phases = competitors[evaluated.candidate.elements.join('-')];
      if (!phases || performance.now() > until) return late;
      try {
        return await threads.run('relaxCandidate', { ...context, evaluated, competitors: phases });
      } catch (error) {
        if (error instanceof TaskRefused && error.reason === 'too-costly') return late;
        throw error;
      }
    };
    const relaxNext = async (): Promise<void> => {
      for (let place = next++; place < guesses.length; place = next++) {
        signal.throwIfAborted();
        const result = await relaxOne(guesses[place]!);
        results[place] = result;
        ended++;
        if (result.candidate.relaxation) relaxed++;
        Object.assign(counts, { relaxed, not_relaxed: ended - relaxed });
        const share = ended / guesses.length;
        const progress = EVALUATED.relaxing + (RELAXED - EVALUATED.relaxing) * share;
        if (!(await report(progress, counts))) throw new Cancelled();
      }
    };
    await Promise.all(Array.from({ length: threads.size }, relaxNext));
    return results;
  }

  /** Runs a search to its end. @returns null when it was cancelled */
  return async function search(request: DesignRequest): Promise<DesignResult | null> {
    const isWanted = ({ isDouble, knownId }: Ranked): boolean =>
      !isDouble && (request.include_known === true || knownId === null);
    try {
      const counts: DesignCounts = {};
      const proposed = await proposals(request, counts);
      if (!(await report(PROPOSED, counts))) return null;
      const context = await contextOf(request);
      const end = isRelaxing(request) ? EVALUATED.relaxing : EVALUATED.ranking;
      const { evaluated, counts: sums } = await evaluateAll(context, proposed, counts, end);
      const guesses = await distinct(evaluated);
      let ranked = guesses;
      if (isRelaxing(request)) {
        // Candidates that meet the filter are relaxed first. The others follow, because relaxation may change
        // their values enough to meet it.
        const ordered = guesses.filter(isWanted).sort((a, b) => Number(b.passes) - Number(a.passes));
        const best = ordered.slice(0, DESIGN_LIMITS.relaxed);
        const relaxed = await relaxAll(context, best, sums);
        // Different unrelaxed candidates may relax to the same crystal.
        const others = guesses.filter((one) => !best.includes(one));
        ranked = [...(await distinct(relaxed)), ...others].sort(byRank);
      }
      const own = ranked.filter(({ isDouble }) => !isDouble);
      const wanted = own.filter(isWanted);
      const kept = wanted.filter(({ passes }) => passes);
      const shown = kept.slice(0, DESIGN_LIMITS.kept);
      return {
        counts: {
          ...sums,
          filtered: (sums.filtered ?? 0) + wanted.length - kept.length,
          duplicates: ranked.length - own.length,
          known: own.filter(({ knownId }) => knownId !== null).length,
          kept: shown.length,
        },
        found: shown.map(({ candidate, cell, knownId }, index) => ({
          candidate: { rank: index + 1, ...candidate, known_struct_id: knownId },
          cell,
        })),
      };
    } catch (error) {
      if (error instanceof Cancelled) return null;
      throw error;
    }
  };
}
