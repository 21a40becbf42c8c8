/** Calculated columns: values, units, and errors of meaningless expressions. */
import { all, create } from 'mathjs/number';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExpression, runExpression } from './expression.ts';
import { SCREEN_FIELDS } from './screen-fields.ts';

const unitOf = (text: string): string => readExpression(`[${text}]`, SCREEN_FIELDS).unit;

function errorOf(text: string): readonly [string, string] {
  try {
    readExpression(`[${text}]`, SCREEN_FIELDS);
  } catch (error) {
    const { code, parameters } = error as { code: string; parameters: { drawn: string } };
    const [line = '', mark = ''] = parameters.drawn.split('\n');
    return [code, line.slice(mark.indexOf('^'))];
  }
  return ['', ''];
}

describe('the unit of an expression', () => {
  it.each([
    ['bulk_modulus / density', 'GPa·cm³/g'],
    ['band_gap ^ 2', 'eV²'],
    ['sqrt(bulk_modulus / density)', 'GPa^0.5·cm^1.5/g^0.5'],
    ['bulk_modulus / shear_modulus', ''],
    ['1 / (1 / density)', 'g/cm³'],
    ['energy_above_hull * nsites', 'eV/atom'],
    ['band_gap - 1.5', 'eV'],
    ['max(bulk_modulus, shear_modulus, 10)', 'GPa'],
    ['log10(bulk_modulus)', ''],
    ['-total_magnetization', 'μB'],
  ])('the unit of %s is %s', (text, unit) => expect(unitOf(text)).toBe(unit));
});

describe('a meaningless expression', () => {
  it.each([
    ['bulk_modulus + density', 'different-units', 'density]'],
    ['bulk_modulus + bulk_modulus * density', 'different-units', 'bulk_modulus * density]'],
    ['min(band_gap, nsites)', 'different-units', 'nsites)]'],
    ['band_gap ^ density', 'unit-not-possible', 'density]'],
    ['band_gap ^ nsites', 'unit-not-possible', 'band_gap ^ nsites]'],
    ['exp(band_gap)', 'unit-not-possible', 'band_gap)]'],
    ['2 * bandgap', 'unknown-property', 'bandgap]'],
    ['1 + formula', 'not-a-number', 'formula]'],
    ['1 + elements', 'not-a-number', 'elements]'],
    ['1 + sin(nsites)', 'no-function', 'sin(nsites)]'],
    ['sqrt(nsites, 2)', 'no-function', 'sqrt(nsites, 2)]'],
    ['2 * (band_gap', 'bad-expression', ']'],
    ['', 'bad-expression', ']'],
    ['a = 3', 'bad-expression', 'a = 3]'],
    ['band_gap > 3', 'bad-expression', 'band_gap > 3]'],
    ['band_gap.re', 'bad-expression', 'band_gap.re]'],
    ['"nsites"', 'bad-expression', 'nsites"]'],
  ])('%s: the error marks the fault', (text, code, rest) => expect(errorOf(text)).toEqual([code, rest]));
});

type Columns = Readonly<Record<string, readonly number[]>>;

const valuesOf = (text: string, columns: Columns, rows: number): readonly number[] => [
  ...runExpression(readExpression(`[${text}]`, SCREEN_FIELDS), rows, (name) => columns[name]),
];

/** Equal except for rounding; NaN represents non-finite values. */
const isNear = (value: number, right: number): boolean =>
  Number.isFinite(right) ? Math.abs(value - right) <= 1e-9 * Math.abs(right) : Number.isNaN(value);

const NAMES = ['nsites', 'nelements', 'band_gap'] as const;

/** Random expressions without units, so that every one is valid. */
const expressions = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('nsites', 'nelements', '(band_gap / band_gap)'),
    fc.integer({ min: 0, max: 20 }).map(String),
    fc.double({ min: 0, max: 9, noNaN: true }).map((value) => value.toFixed(2)),
    fc
      .tuple(tie('part'), fc.constantFrom(' + ', '-', ' * ', '/', '^'), tie('part'))
      .map(([left, sign, right]) => `${left}${sign}${right}`),
    tie('part').map((part) => `(${part})`),
    tie('part').map((part) => `-${part}`),
    fc
      .tuple(fc.constantFrom('sqrt', 'cbrt', 'abs', 'exp', 'log', 'log10', 'log2'), tie('part'))
      .map(([name, part]) => `${name}(${part})`),
    fc
      .tuple(fc.constantFrom('min', 'max'), tie('part'), tie('part'))
      .map(([name, left, right]) => `${name}(${left}, ${right})`),
  ),
})).part;

it('refuses an expression of more than 200 characters and parses one of 200', () => {
  const sum = Array.from({ length: 99 }, () => '1').join('+');
  expect(unitOf(`${sum} `)).toBe('');
  expect(errorOf(`${sum}+1`)[0]).toBe('expression-too-long');
});

describe('the value of an expression', () => {
  it('equals the value from mathjs for each row, and is unknown where mathjs gives no finite real number', () => {
    const { evaluate } = create(all!);
    const columns: Columns = {
      nsites: [1, 2, 7, 40],
      nelements: [1, 3, 2, 5],
      band_gap: [0.5, 1.25, 3, 8],
    };
    fc.assert(
      fc.property(expressions, (text) => {
        // Longer texts may exceed the limit of parts.
        fc.pre(text.length <= 100);
        const found = valuesOf(text, columns, 4);
        const right = [0, 1, 2, 3].map((row): number =>
          Number(evaluate(text, Object.fromEntries(NAMES.map((name) => [name, columns[name]![row]!])))),
        );
        // In mathjs a non-real value to the power of 0 is 1.
        const isOpen = (row: number): boolean => text.includes('^') && Number.isNaN(found[row]);
        expect(right.map((value, row) => isOpen(row) || isNear(found[row]!, value))).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }),
      { seed: 20261125, numRuns: 400 },
    );
  });

  it('is unknown if a number in the expression is unknown', () => {
    const columns: Columns = { band_gap: [1, Number.NaN], nsites: [Number.NaN, 3] };
    expect(valuesOf('band_gap * 2', columns, 2)).toEqual([2, Number.NaN]);
    expect(valuesOf('band_gap ^ 0', columns, 2)).toEqual([1, Number.NaN]);
    expect(valuesOf('max(band_gap, 5)', columns, 2)).toEqual([5, Number.NaN]);
    expect(valuesOf('band_gap * nsites', columns, 2)).toEqual([Number.NaN, Number.NaN]);
    expect(valuesOf('density', columns, 2)).toEqual([Number.NaN, Number.NaN]);
    expect(valuesOf('1 / 0', columns, 2)).toEqual([Number.NaN, Number.NaN]);
  });
});
