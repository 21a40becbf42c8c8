/** The searches: only SQL. Rows are arrays in the order of the contract, ready to be sent. */
import { MAX_SEARCH_ROWS, type WindowFilterName, type WindowRow } from '@unitcell/contract';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { anyOf, currentStructId } from '../../infra/sql.ts';
import type { WindowFilters } from './read-window-search.ts';

export interface WindowRows {
  readonly rows: readonly WindowRow[];
  /** True number of matches. */
  readonly count: number;
}

/** What the search box asks for. */
export type WindowSubject =
  | { readonly kind: 'exactly' | 'at-least'; readonly elements: readonly string[] }
  | { readonly kind: 'formula'; readonly formulaReduced: string }
  | { readonly kind: 'id'; readonly structId: number }
  | { readonly kind: 'all' };

const FILTERED_COLUMNS = [
  ['collapse_Reduction', 'made.reduction_onset'],
  ['collapse_Oxidation', 'made.oxidation_onset'],
  ['collapse_ehull', 'energy.energy_above_hull'],
  ['collapse_bandgap', 'band_gap'],
] as const satisfies readonly (readonly [WindowFilterName, string])[];

export type WindowSearchRepository = ReturnType<typeof windowSearchRepository>;

export function windowSearchRepository({ readDb }: Pick<Database, 'readDb'>) {
  /** The windows that match; a missing value lies in no range. */
  function matches(functional: string, subject: WindowSubject, filters: WindowFilters) {
    const { included, excluded, workingIons } = filters;
    const sought = subject.kind === 'at-least' ? [...subject.elements, ...included] : included;
    let query = readDb
      .selectFrom('electrochemical_window as made')
      .innerJoin('material', 'material.struct_id', 'made.struct_id')
      .innerJoin('material_energy as energy', 'energy.struct_id', 'material.struct_id')
      .where('made.functional', '=', functional)
      .whereRef('energy.functional', '=', 'made.functional')
      .where('made.working_ion', '=', anyOf(workingIons, 'text'));
    if (subject.kind === 'exactly')
      query = query.where('material.chemical_system', '=', subject.elements.join('-'));
    if (subject.kind === 'formula') query = query.where('formula_reduced', '=', subject.formulaReduced);
    if (subject.kind === 'id')
      query = query.where('material.struct_id', '=', currentStructId(subject.structId));
    if (sought.length > 0) query = query.where(sql<boolean>`elements @> ${sought}::text[]`);
    if (excluded.length > 0) query = query.where(sql<boolean>`NOT elements && ${excluded}::text[]`);
    for (const [name, column] of FILTERED_COLUMNS) {
      const range = filters.ranges[name];
      if (range) query = query.where((is) => is.between(column, range.min, range.max));
    }
    return query;
  }

  return {
    async search(functional: string, subject: WindowSubject, filters: WindowFilters): Promise<WindowRows> {
      const query = matches(functional, subject, filters);
      const found = await query
        .select(['material.struct_id', 'formula', 'made.reduction_onset', 'made.oxidation_onset'])
        .select(['made.working_ion', 'energy.energy_above_hull', 'band_gap', 'nsites', 'space_group'])
        .select(['crystal_system', 'point_group', 'hall'])
        .orderBy('energy.energy_above_hull')
        .orderBy('material.struct_id')
        .orderBy('made.working_ion')
        // One more row than may be sent tells whether the matches have to be counted.
        .limit(MAX_SEARCH_ROWS + 1)
        .execute();
      const rows = found
        .slice(0, MAX_SEARCH_ROWS)
        .map(
          (row): WindowRow => [
            row.struct_id,
            row.formula,
            row.reduction_onset,
            row.oxidation_onset,
            row.working_ion,
            row.energy_above_hull,
            row.band_gap,
            row.nsites,
            row.space_group,
            row.crystal_system,
            row.point_group,
            row.hall,
          ],
        );
      if (found.length <= MAX_SEARCH_ROWS) return { rows, count: rows.length };
      const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
      return { rows, count };
    },

    async hasWindows(functional: string, workingIons: readonly string[]): Promise<boolean> {
      const found = await readDb
        .selectFrom('electrochemical_window')
        .select('struct_id')
        .where('functional', '=', functional)
        .where('working_ion', '=', anyOf(workingIons, 'text'))
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}
