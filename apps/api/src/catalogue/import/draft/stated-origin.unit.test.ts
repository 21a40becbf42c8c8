import type { EnergyOnScale, MaterialDraft } from '@unitcell/material';
import { describe, expect, it } from 'vitest';
import { withStatedOrigin } from './stated-origin.ts';

const scaleOf = (functional: string, scale: string): string | undefined => {
  const draft = {
    given: { sourceName: 'x', sourceLicence: '' },
    energies: [{ functional } as EnergyOnScale],
  } as unknown as MaterialDraft;
  return withStatedOrigin(draft, { scale }).energies[0]?.functional;
};

describe('a stated scale', () => {
  it.each([
    ['unspecified', 'MP mixed (GGA, GGA+U, r2SCAN)'],
    ['unspecified, PBE', 'PBE (own, VASP 520 eV)'],
    ['unspecified, PBE', 'PBE+U (own)'],
    ['unspecified, PBE-D3', 'PBE-D3 (own)'],
    ['unspecified, HSE', 'HSE06 (own)'],
    ['unspecified, GGA=XY', 'new functional (GGA=XY)'],
    ['PBE', 'PBE (own)'],
    ['r2SCAN', 'MP mixed (GGA, GGA+U, r2SCAN)'],
    ['PBE (MP 2018)', 'PBE (MP 2018)'],
  ])('applies to energies of “%s” if it is “%s”', (functional, scale) => {
    expect(scaleOf(functional, scale)).toBe(scale);
  });

  it.each([
    ['unspecified, B3LYP', 'PBE'],
    ['unspecified, revPBE', 'PBE (own)'],
    ['unspecified, PBE-D3', 'PBE (own)'],
    ['unspecified, PBE', 'PBEsol (own)'],
    ['PBE+U', 'PBE'],
    ['PBE (MP 2018)', 'PBE (own)'],
    ['PBE (MP2020)', 'PBE (own, VASP 520 eV)'],
  ])('does not rename energies of “%s” to “%s”', (functional, scale) => {
    expect(() => scaleOf(functional, scale)).toThrow(/import such rows separately/);
  });
});
