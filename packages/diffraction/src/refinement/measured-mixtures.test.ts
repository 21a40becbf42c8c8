/**
 * Weighed mixtures of the IUCr round robin on quantitative phase analysis: I. C. Madsen et al., J. Appl. Cryst. 34,
 * 409 (2001), doi:10.1107/S0021889801007476. Cells: corundum SRM 676a of NIST; the others are literature values.
 */
import { readFileSync } from 'node:fs';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { CORUNDUM, CU_KA, FLUORITE, ZINCITE } from '../testing/simulated-scan.ts';
import { readMeasuredPattern } from '../read-measured-pattern.ts';
import { refine } from './refine.ts';

describe.skipIf(!hasSharedData)('refined weight fractions', () => {
  it.each([
    ['cpd-1e', [0.5512, 0.1525, 0.2962]],
    ['cpd-1g', [0.3137, 0.3421, 0.3442]],
  ] as const)('of the mixture %s are within 2 % of the weighed ones', (id, weighed) => {
    const rows = readFileSync(sharedPath('datasets', 'rietveld', `${id}.xy`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    const result = refine({
      pattern: { twoThetaDeg: rows.map(([x]) => x), intensities: rows.map(([, y]) => y) },
      radiation: [
        { wavelength: 1.5405929, weight: 1 },
        { wavelength: 1.5444274, weight: 0.5 },
      ],
      monochromatorTwoThetaDeg: 26.6,
      phases: [
        { label: 'corundum', structure: CORUNDUM },
        { label: 'zincite', structure: ZINCITE },
        { label: 'fluorite', structure: FLUORITE },
      ],
      options: { method: 'rietveld', refine: 'automatic' },
    });
    result.phases.forEach(({ weightFraction }, p) => {
      expect(Math.abs(weightFraction!.value - weighed[p])).toBeLessThan(0.02);
    });
    expect(result.rwp).toBeLessThan(0.12);
    const [corundum, , fluorite] = result.phases;
    expect(Math.abs(corundum.cell.a.value / 4.759355 - 1)).toBeLessThan(2e-4);
    expect(Math.abs(corundum.cell.c.value / 12.99231 - 1)).toBeLessThan(2e-4);
    expect(Math.abs(fluorite.cell.a.value / 5.4638 - 1)).toBeLessThan(2e-4);
  });
});

// Corundum is 5.04 % by weight of the mixture and has 1 % of its intensity.
it.skipIf(!hasSharedData)('corundum that is missing beside zincite in a measured mixture is noticed', () => {
  const { x, y } = readMeasuredPattern(readFileSync(sharedPath('datasets', 'rietveld', 'cpd-1c.xy')));
  const phases = [
    { label: 'zincite', structure: ZINCITE },
    { label: 'fluorite', structure: FLUORITE },
    { label: 'corundum', structure: CORUNDUM },
  ];
  const isNoticed = (count: number): boolean =>
    refine({
      pattern: { twoThetaDeg: x, intensities: y },
      radiation: CU_KA,
      monochromatorTwoThetaDeg: 26.6,
      phases: phases.slice(0, count),
      options: { method: 'rietveld', refine: 'automatic' },
    }).notices.some(({ code }) => code === 'unexplained-intensity');
  expect([isNoticed(3), isNoticed(2)]).toEqual([false, true]);
});

// Measured on BT-1 of NIST with a Cu(311) monochromator: the example of the IUCr powder dictionary, refined
// with GSAS (B. H. Toby, 2002) to Rwp = 8.55 %.
it.skipIf(!hasSharedData)('corundum measured with neutrons has the refined cell that GSAS reports', () => {
  const { x, y, record } = readMeasuredPattern(
    readFileSync(sharedPath('datasets', 'xrd-files', 'pdcif-alumina.cif')),
  );
  expect(record?.radiation).toBe('neutrons 1.5402');
  const result = refine({
    pattern: { twoThetaDeg: x, intensities: y },
    radiation: [{ wavelength: 1.5402, weight: 1 }],
    probe: 'neutron',
    phases: [{ label: 'corundum', structure: CORUNDUM }],
    // The angles of the file are corrected for the zero that GSAS found.
    options: { method: 'rietveld', refine: 'automatic', shift: 'none' },
  });
  const [{ cell, rBragg }] = result.phases;
  // Tolerance: three standard deviations of the GSAS value.
  expect(Math.abs(cell.a.value - 4.760773)).toBeLessThan(3 * 0.000025);
  expect(Math.abs(cell.c.value - 12.99719)).toBeLessThan(3 * 0.00009);
  expect(result.rwp).toBeLessThan(0.09);
  expect(rBragg).toBeLessThan(0.05);
});
