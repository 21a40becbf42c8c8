import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { PredictedValues } from '@unitcell/contract/prediction';
import type { MatchRow } from '@unitcell/contract/xrd';
import { MATCH_ROW_FIELDS } from '@unitcell/contract/xrd/rules';
import { toCsv } from './download.ts';
import { formatCount, formatNumber, paddedStructId, today } from './format.ts';
import { balancedFractions, fractionText, shareText } from './exact-fractions.ts';
import { isGapDoubtful, predictedText } from './predicted-interval.ts';
import { namedRow } from './rows.ts';
import { energyText } from './energy-unit.ts';
import { ownScriptAddress } from './trusted-types.ts';

it('every position of a row has a name, also in the type of the row', () => {
  const row: MatchRow = [0.21, 142, 'TiO2', 'P4_2/mnm', 6, null];
  const named = namedRow(MATCH_ROW_FIELDS, row);
  expect(named).toEqual({
    distance: 0.21,
    struct_id: 142,
    formula: 'TiO2',
    space_group: 'P4_2/mnm',
    nsites: 6,
    ehull: null,
  });
  expectTypeOf(named.formula).toEqualTypeOf<string>();
  expectTypeOf(named.ehull).toEqualTypeOf<number | null>();
});

const term = (amount: number, formula: string) => ({ amount, formula });

describe('balancedFractions', () => {
  it('finds the fractions behind four-digit decimals', () => {
    // 1/12 Li3PS4 + 8/12 Li = 1/12 Li3P + 4/12 Li2S, as written with four digits.
    const found = balancedFractions(
      [term(0.0833, 'Li3PS4'), term(0.6667, 'Li')],
      [term(0.0833, 'Li3P'), term(0.3333, 'Li2S')],
    );
    expect(found?.map(fractionText)).toEqual(['1/12', '2/3', '1/12', '1/3']);
  });

  it('returns none for an equation that does not balance or is invalid', () => {
    expect(balancedFractions([term(0.5, 'Li2O')], [term(0.5, 'Li'), term(0.5, 'O')])).toBeNull();
    expect(balancedFractions([term(0.1234, 'Xx')], [term(0.1234, 'Xx')])).toBeNull();
  });
});

describe('shareText', () => {
  it('is a fraction only if the number equals one', () => {
    expect(shareText(2 / 3)).toBe('2/3');
    expect(shareText(1)).toBe('1');
    expect(shareText(0.66671)).toBe('0.6667');
  });
});

const predicted = (value: number, insulator_probability: number) => ({
  band_gap: { value, low: value - 0.028, high: value + 0.028 },
  insulator_probability,
});

it('a predicted gap that the network is unsure of has no interval', () => {
  // Prediction of the shipped model for diamond, whose PBE gap is 4.1 eV (Materials Project, mp-66).
  expect(isGapDoubtful(predicted(0.476, 0.154))).toBe(true);
});

it('predicted gaps of metals, of insulators and with a clear probability keep their interval', () => {
  for (const [value, chance] of [
    [0.001, 0.02],
    [0.09, 0.49],
    [0.19, 0.82],
    [5.2, 0.998],
  ] as const)
    expect(isGapDoubtful(predicted(value, chance))).toBe(false);
});

it.each([
  ['1.50 ± 0.30', 'band_gap', {}],
  ['1.50', 'band_gap', { familiarity: 'outside' }],
  ['1.50', 'band_gap', { insulator_probability: 0.2 }],
  ['80.00 ± 10.00', 'bulk_modulus', { insulator_probability: 0.2 }],
  ['0', 'formation_energy_per_atom', {}],
] as const)('a predicted value is shown as %s: %s, %o', (text, property, change) => {
  const interval = { value: 80, low: 71, high: 90 };
  const values: PredictedValues = {
    formation_energy_per_atom: { value: 0, low: 0, high: 0 },
    band_gap: { value: 1.5, low: 1.2, high: 1.8 },
    insulator_probability: 0.9,
    bulk_modulus: interval,
    shear_modulus: interval,
    familiarity: 'edge',
    ...change,
  };
  expect(predictedText(values, property, 2)).toBe(text);
});

it('today is the date where the visitor is', () => {
  vi.useFakeTimers({ now: new Date('2026-11-28T23:30:00Z') });
  // UTC+8, as in China.
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-480);
  expect(today()).toBe('2026-11-29');
  vi.useRealTimers();
});

describe('formatNumber', () => {
  it('distinguishes zero from missing and from almost zero', () => {
    expect(formatNumber(0)).toBe('0');
    expect(formatNumber(null)).toBe('-');
    expect(formatNumber(Number.NaN)).toBe('-');
    expect(formatNumber(0.0001)).toBe('0.000');
    expect(formatNumber(-0.0001)).toBe('0.000');
  });

  it('uses a true minus sign', () => {
    expect(formatNumber(-3.26)).toBe('\u22123.260');
  });
});

describe('formatCount and paddedStructId', () => {
  it('separates thousands, shows 0 without a number, pads to ten digits', () => {
    expect(formatCount(154925)).toBe('154,925');
    for (const count of [0, 7, 999, 1000, 12345, 1234567, -1234])
      expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
    expect(formatCount(undefined)).toBe('0');
    expect(paddedStructId(5402)).toBe('0000005402');
  });
});

describe('toCsv', () => {
  it('quotes cells where necessary', () => {
    expect(
      toCsv(
        ['a', 'b'],
        [
          ['x,y', 'say "hi"'],
          [null, -1.5],
        ],
      ),
    ).toBe('a,b\r\n"x,y","say ""hi"""\r\n,-1.5');
  });

  it('neutralises text that a spreadsheet would execute, and keeps numbers', () => {
    expect(toCsv([], [[100 * 0.00401, 1e-20, -2.5]])).toContain('0.401,1e-20,-2.5');
    expect(toCsv([], [['=1+1', '+cmd', '@x', '-1.5', '-P 4n 2n']])).toBe(
      "\r\n'=1+1,'+cmd,'@x,-1.5,'-P 4n 2n",
    );
  });
});

describe('an energy per atom in the chosen unit', () => {
  it('is eV, meV or kJ per mole of atoms with the same precision', () => {
    // Enthalpy of formation of rutile, −944.0 kJ/mol: −314.7 kJ per mole of atoms (NIST-JANAF, 1998).
    const rutile = -944 / 3 / 96.485_332_12;
    expect(energyText(rutile, 'eV/atom', 4)).toBe('−3.2613');
    expect(energyText(rutile, 'meV/atom', 4)).toBe('−3261.3');
    expect(energyText(rutile, 'kJ/mol', 4)).toBe('−314.67');
  });

  it('keeps zero and missing values', () => {
    expect(energyText(0, 'kJ/mol')).toBe('0');
    expect(energyText(null, 'meV/atom')).toBe('-');
  });
});

const SITE = 'https://materials.example.org';

describe('ownScriptAddress', () => {
  it.each(['/assets/worker.js', `${SITE}/assets/worker.js`, `blob:${SITE}/2f6c`])('accepts %s', (address) => {
    expect(ownScriptAddress(address, SITE)).toBe(address);
  });

  it.each([
    'https://evil.example/x.js',
    '//evil.example/x.js',
    'data:text/javascript,alert(1)',
    'javascript:alert(1)',
    'blob:https://evil.example/2f6c',
  ])('refuses %s', (address) => {
    expect(() => ownScriptAddress(address, SITE)).toThrow(TypeError);
  });

  it("accepts the operator's script from another site only at its exact address", () => {
    const script = 'https://stats.example.org/matomo.js';
    expect(ownScriptAddress(script, SITE, script)).toBe(script);
    for (const other of [`${script}?x`, 'https://stats.example.org/other.js', 'https://stats.example.org/'])
      expect(() => ownScriptAddress(other, SITE, script)).toThrow(TypeError);
  });
});
