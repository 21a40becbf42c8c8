/** Queries of a list of OPTIMADE structures, sound ones with some of their parameters damaged. */
import type { RandomSource } from '@unitcell/numerics';
import { mutateText, oneOf } from './mutate.ts';
import { OPTIMADE_FILTERS } from './seeds.ts';

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  filter: OPTIMADE_FILTERS,
  sort: ['id', '-nsites', 'chemical_formula_reduced,-id', '_unitcell_band_gap', 'elements'],
  response_fields: ['elements,nsites', '_unitcell_band_gap', '_exmpl_x', 'nothing', ''],
  page_limit: ['1', '20', '500', '0', '1e3', '-1'],
  page_cursor: ['WzFd', 'WzIsMV0', 'W251bGwsMV0', 'e30', 'WyJ4Iiwi'],
  include: ['', 'references', 'structures'],
  response_format: ['json', 'xml'],
};

export function optimadeQuery(random: RandomSource): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(PARAMETERS)) {
    if (random() < (name === 'filter' ? 0.1 : 0.6)) continue;
    const value = oneOf(random, values);
    query[name] = random() < 0.2 ? mutateText(value, random) : value;
  }
  return query;
}
