import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { referenceShifts } from './complete-energies.ts';
import { coordinateText } from './computed-row.ts';
import { compositionKey } from './read-facts.ts';
import { compareRows } from './truth.ts';

describe('reading facts', () => {
  it('finds the shift of each reference among other polymorphs', () => {
    const shifts: Record<string, number> = { Ca: 0.0186, Cs: -0.035, O: 0, Si: 0 };
    const random = seededRandom(11);
    const elements = Object.keys(shifts);
    const rows = Array.from({ length: 400 }, () => {
      const amounts = elements.map(() => Math.floor(4 * random()));
      const size = amounts.reduce((sum, amount) => sum + amount, 0) || 1;
      const fractions = Object.fromEntries(
        elements.flatMap((element, i) => (amounts[i] === 0 ? [] : [[element, (amounts[i] ?? 0) / size]])),
      );
      const exact = Object.entries(fractions).reduce(
        (sum, [el, share]) => sum + share * (shifts[el] ?? 0),
        0,
      );
      // One row in ten is another polymorph.
      return { fractions, difference: random() < 0.1 ? exact + 0.02 * random() : exact };
    }).filter(({ fractions }) => Object.keys(fractions).length > 0);
    const found = referenceShifts(rows);
    for (const element of elements) expect(found.get(element)).toBeCloseTo(shifts[element] ?? 0, 3);
  });

  it('writes coordinates as fractions where they are fractions', () => {
    expect(
      ['0.33333', '0.666667', '0.99999', '-0.25', '0.30531'].map((x) => coordinateText(Number(x))),
    ).toEqual(['1/3', '2/3', '0', '3/4', '0.30531']);
  });

  it('has one key per composition, whatever the formula unit', () => {
    expect(compositionKey('Ca2O8Ti3')).toBe(compositionKey('Ti6Ca4O16'));
    expect(compositionKey('Mg3(PO4)2')).toBe('Mg3 O8 P2');
  });

  it('counts what agrees, deviates and cannot be compared', () => {
    const truth = compareRows('x', 'y', [1, 2, 3, 4], (n) => (n === 1 ? undefined : n === 2 ? 'two' : ''));
    expect(truth).toMatchObject({ agree: 2, deviations: ['two'], notCheckable: 1 });
  });
});
