import { ELEMENTS } from '@unitcell/elements';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  atomCount,
  atomicFractions,
  chemicalSystem,
  formulaUnits,
  reducedComposition,
} from './composition.ts';
import { CrystalError } from './error.ts';
import {
  anonymousFormula,
  displayFormula,
  formulaOf,
  formulaParts,
  MAX_FORMULA_LENGTH,
  parseFormula,
  reducedFormula,
} from './formula.ts';

describe('parseFormula', () => {
  it.each([
    ['TiO2', { Ti: 1, O: 2 }],
    ['O2Ti', { O: 2, Ti: 1 }],
    ['Li(CoO2)2', { Li: 1, Co: 2, O: 4 }],
    ['Co', { Co: 1 }],
    ['CO', { C: 1, O: 1 }],
    ['Li0.5CoO2', { Li: 0.5, Co: 1, O: 2 }],
    ['Li1.5CoO2', { Li: 1.5, Co: 1, O: 2 }],
    ['CuSO4·5H2O', { Cu: 1, S: 1, O: 9, H: 10 }],
    ['CuSO4.5H2O', { Cu: 1, S: 1, O: 9, H: 10 }],
    ['CuSO4*5 H2O', { Cu: 1, S: 1, O: 9, H: 10 }],
    ['CaSO4·0.5H2O', { Ca: 1, S: 1, O: 4.5, H: 1 }],
    ['3CaO.Al2O3', { Ca: 3, O: 6, Al: 2 }],
    ['Li₃PS₄', { Li: 3, P: 1, S: 4 }],
    [' Li 3 P S 4 ', { Li: 3, P: 1, S: 4 }],
    ['K4[Fe(CN)6]', { K: 4, Fe: 1, C: 6, N: 6 }],
    ['{[(Li)2]3}4', { Li: 24 }],
  ])('reads %s', (text, expected) => {
    expect(parseFormula(text)).toEqual(expected);
  });

  it.each([
    ['', /position 1: an element symbol was expected/],
    ['   ', /an element symbol was expected/],
    ['Xx2', /position 1: "Xx" is no element symbol/],
    ['LiCo(O2', /position 5: this bracket is never closed; expected "\)"/],
    ['LiO2)', /position 5: "\)" closes nothing/],
    ['Li(O2]', /closes the bracket of position 3; expected "\)"/],
    ['Li()', /empty/],
    ['Li0', /amount 0/],
    ['Li-O', /"-" was not expected/],
    ['Fe3+', /"\+" was not expected/],
    ['li', /"l" was not expected/],
    ['2', /an element symbol was expected/],
    ['Li··O', /an element symbol was expected/],
    ['TiO2·', /an element symbol was expected/],
    ['(Li·O)', /inside brackets/],
    ['Li99999999999', /amount 99999999999/],
    ['(Li999999999)9', /more than/],
    ['O'.repeat(MAX_FORMULA_LENGTH + 1), /at most 2000/],
  ])('refuses "%s"', (text, message) => {
    expect(() => parseFormula(text)).toThrow(CrystalError);
    expect(() => parseFormula(text)).toThrow(message);
  });

  it('reads the same composition from the text of formulaOf', () => {
    const element = fc.constantFrom('Li', 'Fe', 'P', 'O', 'H', 'He', 'U', 'Og', 'C');
    const composition = fc.dictionary(element, fc.integer({ min: 1, max: 400 }), {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(composition, (amounts) => {
        expect(parseFormula(formulaOf(amounts))).toEqual(amounts);
        expect(parseFormula(displayFormula(amounts))).toEqual(parseFormula(reducedFormula(amounts)));
      }),
      { seed: 4 },
    );
  });
});

describe('reducedFormula', () => {
  it.each([
    ['O4Co2Li2', 'LiCoO2'],
    ['O2Ti', 'TiO2'],
    ['S4PLi3', 'Li3PS4'],
    ['Li4Fe4P4O16', 'LiFePO4'],
    ['Li(CoO2)2', 'LiCo2O4'],
    ['Li0.5CoO2', 'LiCo2O4'],
    ['Ti0.333O0.667', 'TiO2'],
    ['Fe0.947O', 'Fe0.947O'],
    ['Fe1.894O2', 'Fe0.947O'],
    ['CH4', 'H4C'],
    ['LiO', 'Li2O2'],
    ['H4O4', 'H2O2'],
    ['MgO', 'MgO'],
    ['O', 'O2'],
    ['N8', 'N2'],
    ['S8', 'S'],
    ['Fe2', 'Fe'],
  ])('of %s is %s', (text, expected) => {
    expect(reducedFormula(parseFormula(text))).toBe(expected);
  });
});

/** The parsed composition, or its error if it is a CrystalError; any other error fails the test. */
function compositionOrRefusal(formula: string): ReturnType<typeof parseFormula> | CrystalError {
  try {
    return parseFormula(formula);
  } catch (error) {
    if (error instanceof CrystalError) return error;
    throw error;
  }
}

describe('formulaOf', () => {
  it('writes a formula that can be parsed again, for the composition of any formula', () => {
    const element = fc.constantFrom(...ELEMENTS.map(({ symbol }) => symbol));
    const amount = fc.oneof(
      fc.constant(''),
      fc.constant(''),
      fc.integer({ min: 1, max: 30 }).map(String),
      fc.integer({ min: 1, max: 1e9 }).map(String),
      fc.double({ min: 1e-12, max: 1e9, noNaN: true }).map((value) => value.toFixed(12)),
      fc.double({ min: 1e-12, max: 1, noNaN: true }).map((value) => value.toFixed(12)),
      fc.constantFrom('0.0000000001', '0.0001', '0.00005', '999999999', '0.5', '0.333'),
    );
    const group = fc.array(fc.tuple(element, amount), { minLength: 1, maxLength: 6 });
    const text = fc
      .array(fc.tuple(group, amount, fc.boolean()), { minLength: 1, maxLength: 4 })
      .map((groups) =>
        groups
          .map(([members, times, isBracketed]) => {
            const inner = members.flat().join('');
            return isBracketed ? `(${inner})${times}` : inner;
          })
          .join(''),
      );
    let read = 0;
    fc.assert(
      fc.property(text, (formula) => {
        const composition = compositionOrRefusal(formula);
        if (composition instanceof CrystalError) return;
        read++;
        for (const write of [formulaOf, reducedFormula, displayFormula]) {
          const again = parseFormula(write(composition));
          expect(Object.keys(again).sort()).toEqual(Object.keys(composition).sort());
        }
      }),
      { seed: 11, numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(500);
  });

  it('writes amounts too small for four decimals as the smallest amount', () => {
    expect(() => parseFormula('Li0.0000000001')).toThrow(/0\.0000000001 is not between 0\.0001/);
    expect(() => parseFormula('(Li0.001)0.001')).toThrow(/not between 0\.0001/);
    expect(formulaOf({ Li: 1e-10, O: 1 })).toBe('Li0.0001O');
    const all = parseFormula(`123456789.12345(${ELEMENTS.map(({ symbol }) => symbol).join('')})`);
    expect(Object.keys(parseFormula(formulaOf(all))).length).toBe(ELEMENTS.length);
  });
});

describe('displayFormula', () => {
  it.each([
    ['LiCo2O4', 'Li(CoO2)2'],
    ['Li6V4P6O24', 'Li3V2(PO4)3'],
    ['Al2S3O12', 'Al2(SO4)3'],
    ['LiFePO4', 'LiFePO4'],
    ['Li2Ti4O8', 'LiTi2O4'],
    ['TiO2', 'TiO2'],
    ['O2', 'O2'],
  ])('of %s is %s', (text, expected) => {
    expect(displayFormula(parseFormula(text))).toBe(expected);
  });
});

describe('composition', () => {
  it('counts formula units', () => {
    expect(formulaUnits(parseFormula('Li8Co8O16'))).toBe(8);
    expect(formulaUnits(parseFormula('Li0.5CoO2'))).toBe(0.5);
    expect(formulaUnits(parseFormula('O2'))).toBe(2);
  });

  it('gives the anonymous formula, chemical system, atom count and fractions', () => {
    const olivine = parseFormula('LiFePO4');
    expect(anonymousFormula(olivine)).toBe('A4BCD');
    expect(anonymousFormula(parseFormula('Co2O4Li'))).toBe('A4B2C');
    expect(chemicalSystem(olivine)).toBe('Fe-Li-O-P');
    expect(atomCount(olivine)).toBe(7);
    expect(atomicFractions(olivine)).toEqual({ Li: 1 / 7, Fe: 1 / 7, P: 1 / 7, O: 4 / 7 });
  });

  it('returns a reduced composition unchanged', () => {
    const reduced = reducedComposition(parseFormula('Li0.25CoO2'));
    expect(reducedComposition(reduced)).toEqual(reduced);
  });
});

describe('formulaParts', () => {
  it('marks amounts as subscripts, but not the number in front of a hydrate part', () => {
    const marked = (text: string): string =>
      formulaParts(text)
        .map((part) => (part.isSubscript ? `<${part.text}>` : part.text))
        .join('');
    expect(marked('Li(CoO2)2')).toBe('Li(CoO<2>)<2>');
    expect(marked('Li0.5CoO2')).toBe('Li<0.5>CoO<2>');
    expect(marked('CuSO4·5H2O')).toBe('CuSO<4>·5H<2>O');
    expect(marked('Fe(HO)3')).toBe('Fe(OH)<3>');
    expect(marked('LiHO')).toBe('LiOH');
    expect(marked('HClO')).toBe('HClO');
    expect(marked('')).toBe('');
  });
});
