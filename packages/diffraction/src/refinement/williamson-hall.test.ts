import { describe, expect, it } from 'vitest';
import { CORUNDUM, FLUORITE, simulatedScan, ZINCITE } from '../testing/simulated-scan.ts';
import { refine } from './refine.ts';
import type { InstrumentProfile, RefinedPhase } from './types.ts';
import { integralBreadth } from './williamson-hall.ts';

const INSTRUMENT: InstrumentProfile = { u: 0.002, v: -0.001, w: 0.004, x: 0.02, y: 0.03 };
const WAVELENGTH = 1.540593;
const DEGREES = 180 / Math.PI;

/** X and Y (degrees) of the instrument plus the broadening by a size (nm) and a strain. */
const widthsOf = (sizeNm: number, strain: number) => ({
  U: INSTRUMENT.u,
  V: INSTRUMENT.v,
  W: INSTRUMENT.w,
  X: INSTRUMENT.x + (DEGREES * WAVELENGTH) / (10 * sizeNm * (Math.PI / 2)),
  Y: INSTRUMENT.y + (DEGREES * 4 * strain) / (Math.PI / 2),
});

function refinedPhase(
  structure: typeof FLUORITE,
  values: Readonly<Record<string, number>>,
  seed: number,
  isCalibrated = true,
): RefinedPhase {
  const request = simulatedScan({
    phases: [{ label: 'sample', structure }],
    fractions: [1],
    values,
    seed,
  });
  const profile = isCalibrated ? { profile: INSTRUMENT, profileIsCalibrated: true } : {};
  return refine({ ...request, options: { ...request.options, ...profile } }).phases[0];
}

describe('Williamson–Hall size and strain', () => {
  it.each([
    { name: 'fluorite', size: 30, strain: 0.001, structure: FLUORITE },
    { name: 'zincite', size: 15, strain: 0.003, structure: ZINCITE },
    { name: 'corundum', size: 60, strain: 0.0008, structure: CORUNDUM },
  ])(
    'of simulated $name with $size nm and a strain of $strain come back within 8 %',
    ({ size, strain, structure }) => {
      const { broadening } = refinedPhase(structure, widthsOf(size, strain), size);
      expect(broadening.status).toBe('broadened');
      for (const [found, truth] of [
        [broadening.sizeNm!, size],
        [broadening.strain!, strain],
      ] as const) {
        expect(Math.abs(found.value - truth) / found.esd!).toBeLessThan(4);
        expect(Math.abs(found.value / truth - 1)).toBeLessThan(0.08);
      }
      expect(broadening.scatter).toBeLessThan(1.6);
      expect(broadening.lines.length).toBeGreaterThan(5);
    },
  );

  it('are limits if no line is broader than that of the instrument', () => {
    const { broadening, sizeNm } = refinedPhase(FLUORITE, widthsOf(1e9, 0), 4);
    expect(broadening).toMatchObject({ status: 'instrument-only' });
    expect(broadening.sizeNm ?? broadening.strain).toBeUndefined();
    expect(broadening.sizeAtLeastNm).toBeGreaterThan(150);
    expect(broadening.strainAtMost).toBeLessThan(5e-4);
    expect(sizeNm?.value ?? 1e4).toBeGreaterThan(broadening.sizeAtLeastNm!);
  });

  it('are limits without a calibrated instrument: a lower limit of the size, an upper limit of the strain', () => {
    const { broadening, sizeNm } = refinedPhase(ZINCITE, widthsOf(25, 0.002), 5, false);
    expect(broadening).toMatchObject({ status: 'uncalibrated' });
    expect(sizeNm ?? broadening.sizeNm ?? broadening.intercept).toBeUndefined();
    expect(broadening.sizeAtLeastNm).toBeLessThan(25);
    expect(broadening.sizeAtLeastNm).toBeGreaterThan(8);
    expect(broadening.strainAtMost).toBeGreaterThan(0.002);
  });

  it('are a size and a limit of the strain if only size broadens the lines', () => {
    const { broadening } = refinedPhase(FLUORITE, widthsOf(20, 0), 6);
    expect(Math.abs(broadening.sizeNm!.value / 20 - 1)).toBeLessThan(0.05);
    expect(broadening.strain).toBeUndefined();
    expect(broadening.strainAtMost).toBeLessThan(5e-4);
  });
});

it('the integral breadth of a pseudo-Voigt is that of a Gaussian at η = 0 and of a Lorentzian at η = 1', () => {
  expect(integralBreadth(1, 1)).toBeCloseTo(Math.PI / 2, 12);
  expect(integralBreadth(1, 0)).toBeCloseTo(Math.sqrt(Math.PI / Math.LN2) / 2, 12);
});
