/**
 * Is a chemical system complete? The catalogue is held against the compositions known to be stable on the energy scale,
 * one list a scale; a scale without a list is "not known", never "complete".
 */
import { setImmediate } from 'node:timers/promises';
import {
  type Completeness,
  type ListCompleteness,
  MAX_MISSING_IN_LISTS,
  MAX_MISSING_NAMED,
} from '@unitcell/contract/phase-diagram';
import { DEEPEST_WITHIN, type MissingPhase } from '@unitcell/phase-equilibria';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { CompletenessRepository } from './completeness.repository.ts';
import { missingOfSystem } from './gap-report.ts';
import { type Gaps, gapsOf, missingIn } from './missing-compounds.ts';

/** Answers remembered until the catalogue changes. */
const CACHED_SYSTEMS = 5000;
const CACHED_SCALES = 8;
/** Chemical systems of a list looked up before others get their turn: 5 to 25 ms. */
const SYSTEMS_AT_ONCE = 50;

type Lacking = ListCompleteness['incomplete'][string];

/** What a system lacks in a few words; null for nothing. */
const lackingOf = (missing: readonly MissingPhase[]): Lacking | null =>
  missing.length === 0
    ? null
    : {
        missing: missing.slice(0, MAX_MISSING_IN_LISTS).map(({ formula }) => formula),
        missing_count: missing.length,
      };

export interface Completenesses {
  /** @param isOfInterest leaves out missing compounds that cannot matter, such as those off the plane of a diagram */
  of(
    functional: string,
    elements: readonly string[],
    bounds: Completeness['bounds'] | ((missing: readonly MissingPhase[]) => Completeness['bounds']),
    isOfInterest?: (missing: MissingPhase) => boolean,
  ): Promise<Completeness>;
  /** For the rows of a list, each given by its elements. */
  ofEach(functional: string, rows: readonly (readonly string[])[]): Promise<ListCompleteness>;
}

export function completenesses(repository: CompletenessRepository, caches: CatalogueCaches): Completenesses {
  const single = caches.create<{ readonly missing: readonly MissingPhase[] | null }>(CACHED_SYSTEMS);
  const whole = caches.create<{ readonly gaps: Gaps; readonly lists: Map<string, Lacking | null> }>(
    CACHED_SCALES,
  );
  const sources = caches.create<{ readonly source: string | null }>(CACHED_SCALES);

  const sourceOf = async (functional: string): Promise<string | null> =>
    (await sources.remember(functional, async () => ({ source: await repository.source(functional) })))
      .source;

  const missingOf = async (functional: string, elements: readonly string[]) =>
    (
      await single.remember(`${functional} ${elements.join('-')}`, async () => ({
        missing: await missingOfSystem({ ...repository, source: sourceOf }, functional, elements),
      }))
    ).missing;

  return {
    async of(functional, elements, bounds, isOfInterest = () => true) {
      const distinct = [...new Set(elements)].sort();
      const all = await missingOf(functional, distinct);
      const missing = (all ?? []).filter(isOfInterest);
      const status = all === null ? 'not-known' : missing.length === 0 ? 'complete' : 'incomplete';
      return {
        status,
        chemical_system: distinct.join('-'),
        missing: missing.slice(0, MAX_MISSING_NAMED).map(({ formula, isMarginal, heldAbove }) => ({
          formula,
          marginal: isMarginal,
          held_above: heldAbove === null ? null : Number(heldAbove.toFixed(4)),
        })),
        missing_count: missing.length,
        bounds: status !== 'incomplete' ? {} : typeof bounds === 'function' ? bounds(missing) : bounds,
        source: await sourceOf(functional),
      };
    },

    async ofEach(functional, rows) {
      const source = await sourceOf(functional);
      if (source === null) return { status: 'not-known', incomplete: {}, source };
      const systems = new Map(rows.map((elements) => [[...new Set(elements)].sort().join('-'), elements]));
      // Systems of a list are many: what all lack is read at once.
      const { gaps, lists } = await whole.remember(functional, async () => ({
        gaps: gapsOf(await repository.missing(functional, null, DEEPEST_WITHIN)),
        lists: new Map<string, Lacking | null>(),
      }));
      const incomplete: ListCompleteness['incomplete'] = {};
      let looked = 0;
      for (const [system, elements] of systems) {
        let lacking = lists.get(system);
        if (lacking === undefined) {
          if (++looked % SYSTEMS_AT_ONCE === 0) await setImmediate();
          lacking = lackingOf(missingIn(gaps, elements));
          lists.set(system, lacking);
        }
        if (lacking !== null) incomplete[system] = lacking;
      }
      return { status: 'known', incomplete, source };
    },
  };
}
