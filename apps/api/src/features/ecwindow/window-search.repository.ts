/** The searches: only SQL. Rows come as arrays in the order of the contract, ready to be sent. */
import { MAX_SEARCH_ROWS, type WindowFilterName, type WindowRow } from '@unitcell/contract';
import type { Database } from '../../plugins/database.ts';
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

/** In the order of WINDOW_ROW_FIELDS. */
const COLUMNS = `struct_id, formula, made.reduction_onset, made.oxidation_onset, made.working_ion,
  energy.energy_above_hull, band_gap, nsites, space_group, crystal_system, point_group, hall`;

const FROM = `FROM electrochemical_window AS made JOIN material USING (struct_id)
  JOIN material_energy AS energy USING (struct_id)`;

const FILTERED_COLUMNS: Readonly<Record<WindowFilterName, string>> = {
  collapse_Reduction: 'made.reduction_onset',
  collapse_Oxidation: 'made.oxidation_onset',
  collapse_ehull: 'energy.energy_above_hull',
  collapse_bandgap: 'band_gap',
};

export type WindowSearchRepository = ReturnType<typeof windowSearchRepository>;

/** Conditions and their parameters; a missing value satisfies no range. */
function conditionsOf(functional: string, subject: WindowSubject, filters: WindowFilters) {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    `made.functional = ${bind(functional)}`,
    'energy.functional = made.functional',
    `made.working_ion = ANY(${bind(filters.workingIons)}::text[])`,
  ];
  if (subject.kind === 'exactly')
    conditions.push(`material.chemical_system = ${bind(subject.elements.join('-'))}`);
  if (subject.kind === 'at-least') conditions.push(`elements @> ${bind(subject.elements)}::text[]`);
  if (subject.kind === 'formula') conditions.push(`formula_reduced = ${bind(subject.formulaReduced)}`);
  if (subject.kind === 'id') conditions.push(`struct_id = ${bind(subject.structId)}`);
  if (filters.included.length > 0) conditions.push(`elements @> ${bind(filters.included)}::text[]`);
  if (filters.excluded.length > 0) conditions.push(`NOT elements && ${bind(filters.excluded)}::text[]`);
  for (const [field, range] of Object.entries(filters.ranges))
    conditions.push(
      `${FILTERED_COLUMNS[field as WindowFilterName]} BETWEEN ${bind(range.min)} AND ${bind(range.max)}`,
    );
  return { where: conditions.join(' AND '), values };
}

export function windowSearchRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    async search(functional: string, subject: WindowSubject, filters: WindowFilters): Promise<WindowRows> {
      const { where, values } = conditionsOf(functional, subject, filters);
      const found = await readPool.query<unknown[]>({
        // One more row than may be sent tells whether the matches have to be counted.
        text: `SELECT ${COLUMNS} ${FROM} WHERE ${where}
               ORDER BY energy.energy_above_hull, struct_id, made.working_ion LIMIT ${MAX_SEARCH_ROWS + 1}`,
        values,
        rowMode: 'array',
      });
      const rows = found.rows as WindowRow[];
      if (rows.length <= MAX_SEARCH_ROWS) return { rows, count: rows.length };
      const counted = await readPool.query<{ count: number }>(
        `SELECT count(*)::int AS count ${FROM} WHERE ${where}`,
        values,
      );
      return { rows: rows.slice(0, MAX_SEARCH_ROWS), count: counted.rows[0]?.count ?? rows.length };
    },

    async hasWindows(functional: string, workingIons: readonly string[]): Promise<boolean> {
      const { rows } = await readPool.query<{ some: boolean }>(
        `SELECT EXISTS (SELECT FROM electrochemical_window
                        WHERE functional = $1 AND working_ion = ANY($2::text[])) AS some`,
        [functional, workingIons],
      );
      return rows[0]?.some ?? false;
    },
  };
}
