/** Queries of a list of OPTIMADE structures, sound ones with some of their parameters damaged. */
import type { RandomSource } from '@unitcell/numerics';
import { anyNumber, below, mutateText, oneOf } from './mutate.ts';
import { OPTIMADE_FILTERS } from './seeds.ts';

const SORTS = ['id', '-nsites', 'chemical_formula_reduced,-id', '_unitcell_band_gap', 'elements'] as const;
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  filter: OPTIMADE_FILTERS,
  sort: SORTS,
  response_fields: ['elements,nsites', '_unitcell_band_gap', '_exmpl_x', 'nothing', ''],
  page_limit: ['1', '20', '500', '0', '1e3', '-1'],
  include: ['', 'references', 'structures'],
  response_format: ['json', 'xml'],
};

const VALUES = ['12', 'O2Ti', '', '\u0000', '\ud800', 'x'.repeat(300), null, true, [], {}] as const;

/** A place in a list that is sorted by so many properties, as lists write it, or nearly so. */
function cursorOf(random: RandomSource, sorted: number): string {
  const values = Array.from({ length: random() < 0.1 ? below(random, 5) : sorted }, () =>
    random() < 0.5 ? oneOf(random, VALUES) : anyNumber(random),
  );
  const text = JSON.stringify([...values, random() < 0.8 ? below(random, 2000) : anyNumber(random)]);
  return Buffer.from(random() < 0.2 ? mutateText(text, random) : text).toString('base64url');
}

/** A sorting and a place in it. */
export function optimadeCursor(random: RandomSource): {
  readonly sort: string;
  readonly page_cursor: string;
} {
  const sort = oneOf(random, SORTS);
  const cursor = cursorOf(random, sort.split(',').length);
  return { sort, page_cursor: random() < 0.1 ? mutateText(cursor, random) : cursor };
}

export function optimadeQuery(random: RandomSource): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(PARAMETERS)) {
    if (random() < (name === 'filter' ? 0.1 : 0.6)) continue;
    const value = oneOf(random, values);
    query[name] = random() < 0.2 ? mutateText(value, random) : value;
  }
  return random() < 0.3 ? { ...query, ...optimadeCursor(random) } : query;
}
