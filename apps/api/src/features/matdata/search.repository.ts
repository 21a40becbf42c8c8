/** The searches: only SQL. Rows come as arrays in the order of the contract, ready to be sent. */
import { MAX_SEARCH_ROWS } from '@unitcell/contract';
import { columnList, SEARCH_ROW, type SearchRow } from '@unitcell/material';
import type { Database } from '../../infra/database.ts';
import type { ElementQuery } from '../../domain/query/element-query.ts';

export interface SearchRows {
  readonly rows: readonly SearchRow[];
  /** True number of matches. */
  readonly count: number;
}

const COLUMNS = columnList(SEARCH_ROW);

const ORDER = 'ORDER BY energy_above_hull, struct_id';

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

  async function select(name: string, where: string, values: readonly unknown[]): Promise<SearchRows> {
    // One more row than may be sent tells whether the matches have to be counted.
    const { rows } = await readPool.query<SearchRow>({
      name,
      text: `SELECT ${COLUMNS} FROM material WHERE ${where} ${ORDER} LIMIT ${MAX_SEARCH_ROWS + 1}`,
      values: [...values],
      rowMode: 'array',
    });
    if (rows.length <= MAX_SEARCH_ROWS) return { rows, count: rows.length };
    return { rows: rows.slice(0, MAX_SEARCH_ROWS), count: await count(where, values) };
  }

  return {
    byElements({ elements, isWildcard }: ElementQuery): Promise<SearchRows> {
      return isWildcard
        ? select('search-at-least', 'elements @> $1::text[]', [elements])
        : select('search-exactly', 'chemical_system = $1', [elements.join('-')]);
    },

    byReducedFormula: (formula: string): Promise<SearchRows> =>
      select('search-formula', 'formula_reduced = $1', [formula]),

    byStructId: (structId: number): Promise<SearchRows> => select('search-id', 'struct_id = $1', [structId]),
  };
}
