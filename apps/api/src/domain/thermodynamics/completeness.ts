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
} from '@unitcell/contract';
import type { MissingPhase } from '@unitcell/phase-equilibria';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { CompletenessRepository } from './completeness.repository.ts';
import { missingOfSystem } from './gap-report.ts';
import { type Gaps, gapsOf, missingIn } from './missing-compounds.ts';

/** Answers remembered until the catalogue changes. */
const CACHED_SYSTEMS = 500;
const CACHED_SCALES = 8;
/** Chemical systems of a list looked up before others get their turn: 5 to 25 ms. */
const SYSTEMS_AT_ONCE = 50;

export interface Completenesses {
  /** @param isOfInterest leaves out missing compounds that cannot matter, such as those off the plane of a diagram */
  of(
    functional: string,
    elements: readonly string[],
    bounds: Completeness['bounds'],
    isOfInterest?: (missing: MissingPhase) => boolean,
  ): Promise<Completeness>;
  /** For the rows of a list, each given by its elements. */
  ofEach(functional: string, rows: readonly (readonly string[])[]): Promise<ListCompleteness>;
}

export function completenesses(repository: CompletenessRepository, caches: CatalogueCaches): Completenesses {
  const single = caches.create<{ readonly missing: readonly MissingPhase[] | null }>(CACHED_SYSTEMS);
  const whole = caches.create<Gaps>(CACHED_SCALES);
  const sources = caches.create<{ readonly source: string | null }>(CACHED_SCALES);

  const sourceOf = async (functional: string): Promise<string | null> =>
    (await sources.remember(functional, async () => ({ source: await repository.source(functional) })))
      .source;

  const missingOf = async (functional: string, elements: readonly string[]) =>
    (
      await single.remember(`${functional} ${elements.join('-')}`, async () => ({
        missing: await missingOfSystem(repository, functional, elements),
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
        missing: missing
          .slice(0, MAX_MISSING_NAMED)
          .map(({ formula, isMarginal }) => ({ formula, marginal: isMarginal })),
        missing_count: missing.length,
        bounds: status === 'incomplete' ? bounds : {},
        source: await sourceOf(functional),
      };
    },

    async ofEach(functional, rows) {
      const source = await sourceOf(functional);
      if (source === null) return { status: 'not-known', incomplete: {}, source };
      const systems = new Map(rows.map((elements) => [[...new Set(elements)].sort().join('-'), elements]));
      // Systems of a list are many: what all lack is read at once.
      const gaps = await whole.remember(functional, async () =>
        gapsOf(await repository.missing(functional, null)),
      );
      const incomplete: ListCompleteness['incomplete'] = {};
      let looked = 0;
      for (const [system, elements] of systems) {
        if (++looked % SYSTEMS_AT_ONCE === 0) await setImmediate();
        const missing = missingIn(gaps, elements);
        if (missing.length === 0) continue;
        incomplete[system] = {
          missing: missing.slice(0, MAX_MISSING_IN_LISTS).map(({ formula }) => formula),
          missing_count: missing.length,
        };
      }
      return { status: 'known', incomplete, source };
    },
  };
}
