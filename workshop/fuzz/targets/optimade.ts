/** OPTIMADE: filters, from their text to the queries in memory and on PostgreSQL, and cursors of lists. */
import { evaluateFilter, parseFilter, printFilter, type PropertyValue } from '@unitcell/filter';
import fc from 'fast-check';
import {
  columnOf,
  conditionOf,
  inMemory,
  STRUCTURE_QUERY,
} from '../../../apps/api/src/features/optimade/structure-filter.ts';
import { readListQuery, writeCursor } from '../../../apps/api/src/features/optimade/read-query.ts';
import { anyNumber, damagedText, mostly } from '../damage.ts';
import { CORPUS, settled, type Target, target } from '../target.ts';

/** Rutile, and a crystal with few known properties. */
const rutile = {
  id: '12',
  type: 'structures',
  last_modified: '2024-05-01T10:00:00Z',
  elements: ['O', 'Ti'],
  nelements: 2,
  elements_ratios: [2 / 3, 1 / 3],
  chemical_formula_descriptive: 'TiO2',
  chemical_formula_reduced: 'O2Ti',
  chemical_formula_anonymous: 'A2B',
  dimension_types: [1, 1, 1],
  nperiodic_dimensions: 3,
  nsites: 6,
  site_coordinate_span: 'unit_cell',
  space_group_it_number: 136,
  space_group_symbol_hall: '-P 4n 2n',
  structure_features: [],
  _unitcell_band_gap: 1.78,
};
const STRUCTURES: readonly Readonly<Record<string, PropertyValue>>[] = [
  rutile,
  {
    ...rutile,
    id: '7',
    elements: ['Fe'],
    nelements: 1,
    elements_ratios: [1],
    chemical_formula_descriptive: 'Fe0.5',
    chemical_formula_reduced: null,
    chemical_formula_anonymous: null,
    nsites: 1,
    space_group_it_number: 229,
    space_group_symbol_hall: '-I 4 2 3',
    structure_features: ['disorder'],
    _unitcell_band_gap: null,
  },
];

/** The properties of structures, under the column names of screening. */
const COLUMNS = STRUCTURES.map(
  (row) => new Map([...STRUCTURE_QUERY.keys()].map((name) => [columnOf(name), row[name] ?? null])),
);

/** Runs a filter through all stages: the answer from memory must equal the filter's meaning. */
function followFilter(text: string): void {
  const { filter } = readListQuery({ filter: text }, STRUCTURE_QUERY);
  if (filter === null) return;
  conditionOf(filter);
  const printed = printFilter(filter);
  // Counts are cached under the printed filter.
  if (printed.length <= 10_000 && printFilter(parseFilter(printed).tree) !== printed)
    throw new Error(`it is printed as ${printed}, which is read as something else`);
  const held = inMemory(filter);
  if (held === null) return;
  for (const [index, row] of STRUCTURES.entries()) {
    const said = evaluateFilter(filter, (name) => row[name] ?? null);
    const found = evaluateFilter(held, (name) => COLUMNS[index]?.get(name) ?? null);
    if (said !== found) throw new Error(`${printed} of ${String(row.id)}: ${said}, from memory ${found}`);
  }
}

const FILTERS = CORPUS.optimadeFilters;
const SORTS = ['id', '-nsites', 'chemical_formula_reduced,-id', '_unitcell_band_gap', 'elements'];
const VALUES = ['12', 'O2Ti', '', '\u0000', '\ud800', 'x'.repeat(300), null, true, [], {}];

/** A cursor of a list sorted by this many properties, as lists write it, or slightly wrong. */
const cursorOf = (sorted: number): fc.Arbitrary<string> => {
  const value = mostly(1, fc.constantFrom<unknown>(...VALUES), anyNumber);
  const values = fc.array(value, { minLength: sorted, maxLength: sorted });
  return fc
    .tuple(mostly(9, values, fc.array(value, { maxLength: 4 })), mostly(4, fc.nat(2000), anyNumber))
    .map(([before, id]) => JSON.stringify([...before, id]))
    .chain((text) => mostly(4, fc.constant(text), damagedText([text])))
    .map((text) => Buffer.from(text).toString('base64url'));
};

/** A sort order and a cursor for it. */
const optimadeCursor = fc
  .constantFrom(...SORTS)
  .chain((sort) => fc.record({ sort: fc.constant(sort), page_cursor: cursorOf(sort.split(',').length) }));

const damagedOf = (values: readonly string[]) => mostly(4, fc.constantFrom(...values), damagedText(values));
/** Queries of a list of structures, some with damaged parameters. */
const optimadeQuery: fc.Arbitrary<Record<string, string>> = fc
  .tuple(
    fc.record(
      {
        filter: damagedOf(FILTERS),
        sort: damagedOf(SORTS),
        response_fields: damagedOf(['elements,nsites', '_unitcell_band_gap', '_exmpl_x', 'nothing', '']),
        page_limit: damagedOf(['1', '20', '500', '0', '1e3', '-1']),
        include: damagedOf(['', 'references', 'structures']),
        response_format: damagedOf(['json', 'xml']),
      },
      { requiredKeys: [] },
    ),
    mostly(2, fc.constant({}), optimadeCursor),
  )
  .map(([query, cursor]) => ({ ...query, ...cursor }));

const twoFilters = FILTERS.flatMap((one) =>
  FILTERS.map((other, i) => `${one} ${['AND', 'OR', 'AND NOT'][i % 3]} ${other}`),
);

export const OPTIMADE_TARGETS: Readonly<Record<string, Target>> = {
  'optimade-filter': target(
    mostly(
      9,
      damagedText([...twoFilters, ...FILTERS, ...FILTERS, ...FILTERS], 3000),
      fc.tuple(fc.nat(400), fc.constantFrom(...FILTERS)).map(([depth, filter]) => '('.repeat(depth) + filter),
    ),
    (text) => settled(() => followFilter(text)),
  ),
  'optimade-cursor': target(optimadeCursor, (query) =>
    settled(() => {
      const { after } = readListQuery(query, STRUCTURE_QUERY);
      if (after === null) return;
      const again = readListQuery({ ...query, page_cursor: writeCursor(after) }, STRUCTURE_QUERY);
      if (JSON.stringify(again.after) !== JSON.stringify(after))
        throw new Error(`${query.page_cursor} does not name the same place when it is written again`);
    }),
  ),
  'optimade-query': target(optimadeQuery, (query) =>
    settled(() => conditionOf(readListQuery(query, STRUCTURE_QUERY).filter)),
  ),
};
