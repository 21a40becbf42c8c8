/** The searches: only SQL. Rows come as arrays in the order of the contract, ready to be sent. */
import { MAX_SEARCH_ROWS } from '@unitcell/contract';
import { columnList, fieldOf, SEARCH_ROW, type SearchRow } from '@unitcell/material';
import type { Database } from '../../infra/database.ts';
import type { ElementQuery } from '../../domain/query/element-query.ts';

export interface SearchRows {
  readonly rows: readonly SearchRow[];
  /** True number of matches. */
  readonly count: number;
}

const COLUMNS = columnList(SEARCH_ROW);
/** The same with the energies of a scale the material is not listed with. */
const COLUMNS_ON_SCALE = SEARCH_ROW.map((name) =>
  name === 'formationEnergyPerAtom' || name === 'energyAboveHull'
    ? `scale.${fieldOf(name).column}`
    : columnList([name]),
).join(', ');

/** Remembers true numbers of matches for as long as the catalogue stays as it is. */
export interface MatchCounts {
  remember(key: string, count: () => Promise<number>): Promise<number>;
}

export type SearchRepository = ReturnType<typeof searchRepository>;

export function searchRepository({ readPool }: Pick<Database, 'readPool'>, counts: MatchCounts) {
  const count = (where: string, values: readonly unknown[]): Promise<number> =>
    counts.remember(`${where} ${JSON.stringify(values)}`, async () => {
      const text = `SELECT count(*)::int FROM material WHERE ${where}`;
      const found = await readPool.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
      return Number(found.rows[0]?.[0]);
    });

  /** Every material with energies is listed on this scale: then they stand in its row, in the order of an index. */
  const isOnlyScale = async (functional: string): Promise<boolean> => {
    const others = await counts.remember(`other scales than ${functional}`, async () => {
      const text =
        'SELECT count(*)::int FROM (SELECT 1 FROM material WHERE functional <> $1 LIMIT 1) AS other';
      const found = await readPool.query<unknown[]>({ text, values: [functional], rowMode: 'array' });
      return Number(found.rows[0]?.[0]);
    });
    return others === 0;
  };

  async function select(
    name: string,
    where: string,
    values: readonly [unknown],
    functional: string,
  ): Promise<SearchRows> {
    const isOnly = await isOnlyScale(functional);
    const from = isOnly
      ? `SELECT ${COLUMNS} FROM material`
      : `SELECT ${COLUMNS_ON_SCALE} FROM material
           LEFT JOIN material_energy AS scale ON scale.struct_id = material.struct_id AND scale.functional = $2`;
    const energies = isOnly ? 'material' : 'scale';
    // One more row than may be sent tells whether the matches have to be counted.
    const { rows } = await readPool.query<SearchRow>({
      name: isOnly ? name : `${name}-on-scale`,
      text: `${from} WHERE ${where} ORDER BY ${energies}.energy_above_hull, material.struct_id LIMIT ${MAX_SEARCH_ROWS + 1}`,
      values: isOnly ? [...values] : [...values, functional],
      rowMode: 'array',
    });
    if (rows.length <= MAX_SEARCH_ROWS) return { rows, count: rows.length };
    return { rows: rows.slice(0, MAX_SEARCH_ROWS), count: await count(where, values) };
  }

  return {
    byElements({ elements, isWildcard }: ElementQuery, functional: string): Promise<SearchRows> {
      return isWildcard
        ? select('search-at-least', 'material.elements @> $1::text[]', [elements], functional)
        : select('search-exactly', 'material.chemical_system = $1', [elements.join('-')], functional);
    },

    byReducedFormula: (formula: string, functional: string): Promise<SearchRows> =>
      select('search-formula', 'material.formula_reduced = $1', [formula], functional),

    byStructId: (structId: number, functional: string): Promise<SearchRows> =>
      select('search-id', 'material.struct_id = current_struct_id($1)', [structId], functional),
  };
}
