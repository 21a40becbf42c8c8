import { describe, expect, it } from 'vitest';
import { energyText } from './energy-unit.ts';

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
