import { describe, expect, it } from 'vitest';
import { anomalousScattering, hasAnomalousScattering } from './index.ts';

describe('anomalousScattering', () => {
  // Cromer and Liberman's values in International Tables for Crystallography C, table 4.2.6.8: an independent
  // calculation, which differs by less than 0.15 electrons if no absorption edge is near.
  it.each([
    ['O', 1.5418, 0.0492, 0.0322],
    ['Al', 1.5418, 0.213, 0.2455],
    ['Ca', 1.5418, 0.3641, 1.2855],
    ['Zn', 1.5418, -1.612, 0.678],
    ['Zn', 0.7107, 0.2839, 1.4301],
    ['Pb', 1.5418, -4.0753, 8.506],
  ])('of %s at %s Å agrees with an independent table', (element, wavelength, real, imaginary) => {
    const found = anomalousScattering(element, wavelength)!;
    expect(Math.abs(found.real - real)).toBeLessThan(0.25);
    expect(found.imaginary / imaginary).toBeCloseTo(1, 1);
  });

  it('has Kα1 and Kα2, but no radiation between the lines of tubes', () => {
    expect(anomalousScattering('Fe', 1.54056)).toEqual(anomalousScattering('Fe', 1.54439));
    expect(hasAnomalousScattering(1.2)).toBe(false);
    expect(anomalousScattering('Fe', 1.2)).toBeUndefined();
    expect(anomalousScattering('Pu', 1.54184)).toBeUndefined();
    expect(anomalousScattering('D', 1.54184)).toEqual(anomalousScattering('H', 1.54184));
  });
});
