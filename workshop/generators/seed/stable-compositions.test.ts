import { parseKnownPhases } from '@unitcell/phase-equilibria';
import { describe, expect, it } from 'vitest';
import { readStableCompositions } from './seed-files.ts';

describe('the list of stable compositions', () => {
  const known = parseKnownPhases(readStableCompositions());

  it('contains the hull of the Materials Project of 2018, without impossible entries', () => {
    expect([...known.values()].flat().length).toBeGreaterThan(33_000);
    const of = (system: string): string[] =>
      (known.get(system) ?? []).map(({ composition }) =>
        Object.entries(composition)
          .map(([element, amount]) => element + (amount === 1 ? '' : amount))
          .join(''),
      );
    expect(of('C-O')).toEqual(['CO2']);
    expect(of('H-O')).toEqual(['H2O']);
    expect(of('Na-S')).toContain('Na2S');
    expect(of('N-O')).not.toContain('N2O');
    expect(of('K-Mg')).toEqual([]);
  });

  it('omits formulas of the ground states that were cut off at half atoms', () => {
    // Their energies are those of Li14Ti21O48, Mn15Br6O20, Cs10Mo6N15, In85K34Zn20 and Ir65P52Sm30: halved,
    // an odd number of atoms lost its half. With Li7Ti10O24 Li4Ti5O12 oxidised at 2.51 instead of 3.71 V.
    const wrong = ['Li7O24Ti10', 'Br3Mn7O10', 'Cs5Mo3N7', 'In42K17Zn10', 'Ir32P26Sm15'];
    const listed = readStableCompositions().split(/[\s~:]+/);
    expect(wrong.filter((formula) => listed.includes(formula))).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(['Cs10Mo6N15', 'In85K34Zn20', 'Ir65P52Sm30']));
  });

  it('has no duplicates', () => {
    const keys = [...known].flatMap(([system, phases]) =>
      phases.map(({ composition }) => `${system} ${Object.values(composition).join(' ')}`),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('contains what the table of ground states omits although it lies on the hull of all energies', () => {
    const has = (system: string, composition: Readonly<Record<string, number>>): boolean =>
      (known.get(system) ?? []).some((phase) =>
        Object.entries(composition).every(([element, amount]) => phase.composition[element] === amount),
      );
    // Without SmCo3 the system Sm-Co was called complete, and SmCo2 and Sm2Co7 were on its hull.
    expect(has('Co-Sm', { Co: 3, Sm: 1 })).toBe(true);
    expect(has('Np-O', { Np: 2, O: 5 })).toBe(true);
    expect(has('Al-Fe', { Al: 9, Fe: 2 })).toBe(true);
  });
});
