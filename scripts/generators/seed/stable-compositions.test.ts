import { hasSharedData, sharedPath } from '@unitcell/dev/shared-data';
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

  it.skipIf(!hasSharedData)('is what the table of ground states gives', () => {
    expect(stableCompositionsFrom(sharedPath('datasets'))).toBe(readStableCompositions());
  });
});
