import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { parseKnownPhases } from '@unitcell/phase-equilibria';
import { describe, expect, it } from 'vitest';
import { readStableCompositions } from './seed-files.ts';
import { stableCompositionsFrom } from './facts/stable-compositions-from.ts';
import { stableCompositionsText } from './stable-compositions.ts';

describe('the list of stable compositions', () => {
  const known = parseKnownPhases(readStableCompositions());

  it('holds the hull of the Materials Project of 2018, without what cannot be true', () => {
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

  it('marks what is stable by a hair, and keeps no duplicates', () => {
    const text =
      'formula,e_form_eV_atom,e_decomp_eV_atom\nCO2,-1.8,-1.25\nAl2Ca,-0.3,-0.003\nAu,0,0\nBaO,-2,0.1\nKMg149,-0.01,-0.01\n';
    const lines = stableCompositionsText(text, (formula) => (formula === 'CO2' ? -1.78371 : undefined))
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(lines).toEqual(['Al2Ca~', 'CO2:-1.783']);
    const keys = [...known].flatMap(([system, phases]) =>
      phases.map(({ composition }) => `${system} ${Object.values(composition).join(' ')}`),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('holds what the table of ground states leaves out though it lies on the hull of all energies', () => {
    const has = (system: string, composition: Readonly<Record<string, number>>): boolean =>
      (known.get(system) ?? []).some((phase) =>
        Object.entries(composition).every(([element, amount]) => phase.composition[element] === amount),
      );
    // Without SmCo3 the system Sm-Co was called complete, and SmCo2 and Sm2Co7 stood on its hull.
    expect(has('Co-Sm', { Co: 3, Sm: 1 })).toBe(true);
    expect(has('Np-O', { Np: 2, O: 5 })).toBe(true);
    expect(has('Al-Fe', { Al: 9, Fe: 2 })).toBe(true);
  });

  it.skipIf(!hasSharedData)(
    'is what the tables of ground states and of energies give',
    () => {
      expect(stableCompositionsFrom(sharedPath('datasets'))).toBe(readStableCompositions());
    },
    // It reads 155,000 structures: how long that takes on a busy machine, it does not ask.
    1_800_000,
  );
});
