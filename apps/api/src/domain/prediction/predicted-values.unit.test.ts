import { PREDICTED_SCALE } from '@unitcell/contract/prediction';
import { describe, expect, it } from 'vitest';
import { areModuliCalculated, calculatedValues } from './predicted-values.ts';

const stored = {
  functional: PREDICTED_SCALE,
  energies: [
    { functional: 'experiment-298K', formationEnergyPerAtom: -3.5 },
    { functional: PREDICTED_SCALE, formationEnergyPerAtom: -3.4 },
  ],
  bandGap: 1.767,
  bulkModulus: 174,
  shearModulus: 117,
};

describe('values compared with a prediction', () => {
  it('exclude moduli of measured elastic constants, and of quoted constants that were not looked up', () => {
    const measured = 'measured near 300 K, Bell & Rupprecht, Phys. Rev. 129, 90 (1963)';
    const quoted = 'measured near 300 K, as commonly quoted; the measurement was not looked up';
    for (const elasticSource of [
      measured,
      { source: measured },
      { source: 'lab book 7', kind: 'measured' },
      quoted,
    ])
      expect(calculatedValues({ ...stored, elasticSource })).toEqual({
        formation_energy_per_atom: -3.4,
        band_gap: 1.767,
        bulk_modulus: null,
        shear_modulus: null,
      });
  });

  it('include moduli whose source is calculated or not stated', () => {
    for (const elasticSource of [
      undefined,
      'PBE, de Jong et al., Sci. Data 2, 150009 (2015)',
      { source: 'JARVIS-DFT' },
    ])
      expect(calculatedValues({ ...stored, elasticSource })).toMatchObject({
        bulk_modulus: 174,
        shear_modulus: 117,
      });
    expect(areModuliCalculated(null)).toBe(true);
  });
});
