import {
  MAX_SCATTERING_S,
  XRAY_SCATTERERS,
  xrayScatteringCoefficients,
  xrayScatteringFactor,
} from '@unitcell/elements';
import { describe, expect, it } from 'vitest';
import { scatteringTable, tabulatedScatteringFactor } from './scattering-table.ts';

const coefficientsOf = (element: string): readonly number[] => {
  const found = xrayScatteringCoefficients(element);
  if (!found) throw new Error(`no coefficients of ${element}`);
  return found;
};

describe('tabulatedScatteringFactor', () => {
  it('f(0) is the number of electrons', () => {
    expect(tabulatedScatteringFactor(scatteringTable(coefficientsOf('Si'), 1), 0)).toBe(14);
  });

  it('no element is off by more than 1e-7 of its electrons anywhere in the range of the fits', () => {
    let worst = 0;
    for (const element of XRAY_SCATTERERS) {
      const coefficients = coefficientsOf(element);
      const table = scatteringTable(coefficients, MAX_SCATTERING_S);
      for (let s = 0.0007; s < MAX_SCATTERING_S; s += 0.0031) {
        const error = tabulatedScatteringFactor(table, s) - xrayScatteringFactor(coefficients, s * s);
        worst = Math.max(worst, Math.abs(error) / coefficients[0]);
      }
    }
    expect(worst).toBeLessThan(1e-7);
  });

  it('is the formula itself beyond the table, and the table grows when more is asked for', () => {
    const coefficients = [...coefficientsOf('Fe')];
    const table = scatteringTable(coefficients, 0.2);
    expect(tabulatedScatteringFactor(table, 0.9)).toBe(xrayScatteringFactor(coefficients, 0.81));
    expect(scatteringTable(coefficients, 3)).toBe(table);
    expect(tabulatedScatteringFactor(table, 0.9)).toBeCloseTo(xrayScatteringFactor(coefficients, 0.81), 5);
    expect(tabulatedScatteringFactor(table, 2.5)).toBe(xrayScatteringFactor(coefficients, 6.25));
  });
});
