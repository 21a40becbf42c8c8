import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  allOf,
  checkFilter,
  conditionsOf,
  evaluateFilter,
  type Filter,
  FilterError,
  type FilterFields,
  materialFilterFields,
  nearestOf,
  parseFilter,
  printFilter,
  type PropertyValue,
  propertiesOf,
  readTree,
  sqlOfFilter,
} from './index.ts';
import { randomFilter, type Values } from './testing/random-filter.ts';

const treeOf = (text: string): Filter => parseFilter(text).tree;
const FIELDS = materialFilterFields();

/** The syntax or semantic error of a filter. */
function errorOf(text: string, fields: FilterFields = FIELDS): FilterError {
  try {
    checkFilter(parseFilter(text), fields);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe('the grammar of OPTIMADE 1.2', () => {
  // Examples of the specification, section "The Filter Language Syntax".
  it.each([
    'nelements > 3',
    'chemical_formula_hill = "H2O" AND NOT chemical_formula_anonymous = "AB"',
    '_exmpl_aax <= +.1e8 OR nelements >= 10 AND NOT (_exmpl_x != "Some string" OR NOT _exmpl_a = 7)',
    '_exmpl1_spacegroup = "P2"',
    '_exmpl_cell_volume<100.0',
    '_exmpl_bandgap > 5.0 AND _exmpl_molecular_weight < 350',
    '_exmpl_melting_point<300 AND nelements=4 AND chemical_formula_descriptive="SiO2"',
    '_exmpl_some_string_property = 42',
    '5 < _exmpl_a',
    '((NOT (_exmpl_a>_exmpl_b)) AND _exmpl_x>0)',
    'identifier CONTAINS "x"',
    'chemical_formula_descriptive CONTAINS "C" AND chemical_formula_descriptive STARTS WITH "H2"',
    'identifier STARTS "x" AND identifier ENDS WITH "z"',
    'elements HAS "H" AND elements HAS ALL "H","He","Ga","Ta"',
    'elements HAS ONLY "H","He","Ga","Ta" AND elements HAS ANY "H","He"',
    'elements LENGTH 3 AND elements LENGTH >= 3',
    'elements:elements_ratios HAS ALL "Al":>0.3333, "Si":<0.5',
    '_exmpl_element_counts HAS < 3 AND _exmpl_element_counts HAS ANY > 3, = 6, 4, != 8',
    'elements:_exmpl_element_counts:_exmpl_element_weights HAS ANY > 3:"He":>55.3 , = 6:>"Ga":<34.0 , 8:<"Ga":>0',
    'calculations.id HAS "calc-id-43" AND structures.nelements IS KNOWN',
    'chemical_formula_hill IS KNOWN AND NOT chemical_formula_anonymous IS UNKNOWN',
    '_exmpl_is_metal = TRUE OR FALSE != _exmpl_is_metal',
    '_exmpl_text = "A string with \\"quotes\\" and \\\\"',
  ])('reads %s, and reads its printed form with the same result', (text) => {
    const tree = treeOf(text);
    expect(treeOf(printFilter(tree))).toEqual(tree);
  });

  it('binds NOT before AND before OR', () => {
    expect(treeOf('NOT a > 1 AND b > 1 OR c > 1')).toEqual(treeOf('((NOT (a > 1)) AND (b > 1)) OR (c > 1)'));
    expect(treeOf('a > 1 OR b > 1 AND c > 1')).toMatchObject({ kind: 'or', terms: [{}, { kind: 'and' }] });
  });

  it('normalises a comparison that begins with the value', () => {
    expect(treeOf('5 < a')).toEqual(treeOf('a > 5'));
    expect(treeOf('"x" = a')).toEqual(treeOf('a = "x"'));
  });

  it('reads the same tree from JSON', () => {
    const tree = treeOf('elements HAS ONLY "Ti","O" AND (band_gap > 2 OR NOT has_elastic = TRUE)');
    expect(readTree(JSON.parse(JSON.stringify(tree))).tree).toEqual(tree);
  });
});

describe('a filter that cannot be parsed', () => {
  it.each([
    ['', 'expected-property', 1],
    ['band_gap', 'expected-condition', 9],
    ['band_gap >', 'expected-value', 11],
    ['band_gap > 2 and nsites < 3', 'expected-end', 14],
    ['band_gap > 2 And nsites < 3', 'unexpected-character', 14],
    ['Band_gap > 2', 'unexpected-character', 1],
    ['(band_gap > 2', 'expected-parenthesis', 14],
    ['band_gap > 2)', 'expected-end', 13],
    ['formula = "TiO2', 'unclosed-text', 11],
    ['1 < 2', 'two-constants', 5],
    ['band_gap > 1e999', 'number-range', 12],
    ['band_gap > 2 eV', 'unexpected-character', 14],
    ['elements LENGTH "3"', 'expected-number', 17],
    ['elements:elements HAS "O"', 'list-lengths', 26],
    ['band_gap IS 3', 'expected-condition', 13],
    ['band_gap > 2; DROP TABLE material', 'unexpected-character', 13],
    ['<script>', 'expected-property', 1],
    ['NOT NOT band_gap > 1', 'expected-property', 5],
  ])('%s: %s at character %i', (text, code, at) => {
    const error = errorOf(text);
    expect([error.code, error.parameters['at']]).toEqual([code, at]);
    expect(error.parameters['drawn']).toMatch(/^[^\n]*\n *\^$/);
  });

  it('shows the position under the text', () => {
    expect(errorOf('nsites < 3 AND band_gap >').parameters['drawn']).toBe(
      `nsites < 3 AND band_gap >\n${' '.repeat(25)}^`,
    );
  });

  it.each([
    ['bandgap > 2', 'unknown-property', { name: 'bandgap', nearest: 'band_gap' }],
    ['band_gap > "2"', 'needs-number', { name: 'band_gap', unit: 'eV' }],
    ['formula = 2', 'needs-text', { name: 'formula' }],
    ['has_elastic = 1', 'needs-flag', { name: 'has_elastic' }],
    ['has_elastic > TRUE', 'no-order', { name: 'has_elastic' }],
    ['elements = "O"', 'is-list', { name: 'elements' }],
    ['band_gap HAS 2', 'needs-list', { name: 'band_gap' }],
    ['crystal_system = "qubic"', 'unknown-option', { nearest: 'cubic' }],
    ['elements HAS "Xx"', 'unknown-option', { name: 'elements' }],
    ['band_gap > volume', 'different-types', { other: 'volume' }],
    ['nsites < 9 AND band_gap >= 4 AND band_gap <= 2', 'upside-down', { name: 'band_gap', from: 4, to: 2 }],
    ['band_gap CONTAINS "2"', 'needs-number', { name: 'band_gap' }],
  ])('%s: %s', (text, code, parameters) => {
    const error = errorOf(text);
    expect(error.code).toBe(code);
    expect(error.parameters).toMatchObject(parameters);
  });

  it('is refused if it exceeds the limits', () => {
    expect(errorOf(`formula = "${'a'.repeat(10_000)}"`).code).toBe('too-long');
    expect(errorOf(`${'('.repeat(201)}band_gap > 2${')'.repeat(201)}`).code).toBe('too-deep');
    expect(() => parseFilter(`${'('.repeat(200)}a > 2${')'.repeat(200)}`)).not.toThrow();
    const many = Array.from({ length: 501 }, () => 'a>1').join(' OR ');
    expect(errorOf(many).code).toBe('too-many-terms');
    const lists = (count: number) =>
      `${Array(count).fill('elements').join(':')} HAS ${Array(count).fill('"O"').join(':')}`;
    expect(errorOf(lists(5)).code).toBe('too-many-lists');
    expect(() => parseFilter(lists(4))).not.toThrow();
    const deep = Array.from({ length: 300 }).reduce<unknown>(
      (term) => ({ kind: 'not', term }),
      treeOf('a > 1'),
    );
    expect(() => readTree(deep)).toThrow(expect.objectContaining({ code: 'too-deep' }));
  });

  it.each([
    [null, 'filter: an object'],
    [{ kind: 'and', terms: [] }, 'filter.terms: a non-empty list'],
    [{ kind: 'drop' }, 'filter.kind'],
    [{ kind: 'compare', property: 'a; DROP', operator: '=', to: { value: 1 } }, 'filter.property'],
    [{ kind: 'compare', property: 'a', operator: '~', to: { value: 1 } }, 'filter.operator'],
    [{ kind: 'compare', property: 'a', operator: '=', to: { value: null } }, 'filter.to.value'],
  ])('a tree %j', (tree, where) => {
    expect(() => readTree(tree)).toThrow(where);
  });
});

describe('evaluateFilter', () => {
  const row: Readonly<Record<string, PropertyValue>> = {
    band_gap: 2.5,
    fermi_energy: null,
    elements: ['O', 'Ti'],
    ratios: [2, 1],
    formula: 'TiO2',
    has_elastic: true,
  };
  const ask = (text: string) => evaluateFilter(treeOf(text), (name) => row[name] ?? null);

  it.each([
    ['band_gap > 2.5', false],
    ['band_gap >= 2.5', true],
    ['fermi_energy > 0', null],
    ['NOT fermi_energy > 0', null],
    ['fermi_energy > 0 OR band_gap > 2', true],
    ['fermi_energy > 0 AND band_gap < 2', false],
    ['fermi_energy IS UNKNOWN AND band_gap IS KNOWN', true],
    ['elements HAS "O"', true],
    ['elements HAS ALL "O","Ti"', true],
    ['elements HAS ALL "O","Fe"', false],
    ['elements HAS ANY "O","Fe"', true],
    ['elements HAS ONLY "O","Ti","Fe"', true],
    ['elements HAS ONLY "O"', false],
    ['elements LENGTH 2', true],
    ['elements:ratios HAS "O":2', true],
    ['elements:ratios HAS "Ti":2', false],
    ['elements:ratios HAS ALL "O":>1,"Ti":<2', true],
    ['formula STARTS WITH "Ti" AND formula ENDS "2" AND formula CONTAINS "iO"', true],
    ['formula > "Ti" AND formula < "Tj"', true],
    ['has_elastic = TRUE', true],
    ['TRUE != has_elastic', false],
  ])('%s is %s', (text, answer) => expect(ask(text)).toBe(answer));
});

describe('random filters', () => {
  const values: Values = new Map<string, readonly (string | number)[]>([
    ['elements', ['O', 'Ti', 'Fe']],
    ['formula', ['TiO2', 'Fe2O3']],
    ['band_gap', [0, 1.5, 3]],
    ['nsites', [2, 6]],
    ...[...FIELDS].flatMap(([name, { options }]) =>
      options && name !== 'elements' ? [[name, options] as const] : [],
    ),
  ]);

  it('are unchanged after printing and parsing, and after conversion to JSON', () => {
    const random = seededRandom(18);
    for (let round = 0; round < 2000; round++) {
      const tree = randomFilter({ fields: FIELDS, values }, random);
      const { tree: again } = parseFilter(printFilter(tree));
      expect(again).toEqual(tree);
      expect(readTree(JSON.parse(JSON.stringify(tree))).tree).toEqual(tree);
    }
  });

  it('put none of their values into the text of the SQL', () => {
    const random = seededRandom(19);
    for (let round = 0; round < 500; round++) {
      const tree = randomFilter({ fields: FIELDS, values }, random);
      const texts = sqlOfFilter(tree, FIELDS).filter((piece) => typeof piece === 'string');
      expect(texts.join('')).toMatch(/^[\w\s().,<>=@&:"|]*$/);
    }
  });

  it('let no more rows pass if a condition is added', () => {
    const random = seededRandom(20);
    const row = (): Readonly<Record<string, PropertyValue>> => ({
      elements: ['O', 'Ti', 'Fe'].filter(() => random() < 0.5),
      band_gap: random() < 0.2 ? null : 3 * random(),
      nsites: 2 + Math.floor(6 * random()),
      formula: 'TiO2',
    });
    for (let round = 0; round < 500; round++) {
      const trees = [0, 1].map(() => randomFilter({ fields: FIELDS, values }, random));
      const data = row();
      const passes = (tree: Filter | null) =>
        tree === null || evaluateFilter(tree, (name) => data[name] ?? null) === true;
      const both = allOf(trees);
      expect(!passes(both) || passes(trees[0])).toBe(true);
      expect(passes(allOf(conditionsOf(both)))).toBe(passes(both));
    }
  });
});

it('propertiesOf lists their properties, and the error for a wrong name suggests the most similar one', () => {
  expect(propertiesOf(treeOf('NOT (a > b OR c:d HAS 1:2) AND e LENGTH 3'))).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);
  expect(nearestOf('ehull', FIELDS.keys())).toMatch(/hall|energy/);
  expect(nearestOf('space', FIELDS.keys())).toMatch(/^space_group/);
});
