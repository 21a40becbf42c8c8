import { latticeVectorsFromParameters, orderedSite } from '@unitcell/crystal';
import { angleGrid, profile, reflections, twoThetaDegOf } from '@unitcell/diffraction';
import { expect, it } from 'vitest';
import { newRefineControl, refinePattern } from './refine-pattern.ts';

const cif = `data_hydride
_cell_length_a 4.88
_cell_length_b 4.88
_cell_length_c 4.88
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_space_group_name_H-M_alt 'F m -3 m'
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Na1 0 0 0
D1 0.5 0.5 0.5
`;

const wavelength = 1.5402;

/** Neutrons scattered by NaD: lines of odd indices are weak, and those of NaH would be strong. */
function measured() {
  const latticeVectors = latticeVectorsFromParameters({
    a: 4.88,
    b: 4.88,
    c: 4.88,
    alpha: 90,
    beta: 90,
    gamma: 90,
  });
  const corners = [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ] as const;
  const sites = corners.flatMap(([x, y, z]) => [
    orderedSite('Na', [x, y, z]),
    orderedSite('D', [x + 0.5, y, z]),
  ]);
  const found = reflections(
    { latticeVectors, sites },
    { wavelength, probe: 'neutron', twoThetaRangeDeg: [20, 130], debyeWallerB: { Na: 0.5, D: 0.5 } },
  );
  const peaks = Array.from(found.intensity, (intensity, i) => ({
    twoThetaDeg: twoThetaDegOf(1 / Math.sqrt(found.inverseDSquared[i]!), wavelength),
    intensity,
  }));
  const x = angleGrid(20, 130, 0.05);
  const y = profile(peaks, { crystalliteSizeNm: 50, wavelength, grid: x, instrumentWidthDeg: 0.3 });
  return { twoThetaDeg: x, intensities: y.map((value) => Math.round(100 + 200 * value)) };
}

it('a refinement with X-rays includes the mass of deuterium in the density of a deuterated phase', () => {
  const { result } = refinePattern({
    pattern: measured(),
    radiation: [{ wavelength, weight: 1 }],
    phases: [
      { label: undefined, source: cif, strain: 0 },
      { label: 'hydride', source: cif.replace('D1', 'H1'), strain: 0 },
    ],
    options: { method: 'rietveld', refine: 'automatic', maxCycles: 3 },
    control: newRefineControl(),
    seconds: 60,
  });
  const [deuteride, hydride] = result.phases;
  // 25.00387 u and 23.99771 u in cells whose ratio is known
  const cells = hydride!.cell.volume.value / deuteride!.cell.volume.value;
  expect(deuteride!.density / hydride!.density / cells).toBeCloseTo(25.00387 / 23.99771, 5);
});

it('a refinement with neutrons keeps the deuterium of a CIF', () => {
  const { result, start } = refinePattern({
    pattern: measured(),
    radiation: [{ wavelength, weight: 1 }],
    probe: 'neutron',
    phases: [{ label: undefined, source: cif, strain: 0 }],
    options: { method: 'rietveld', refine: 'automatic' },
    control: newRefineControl(),
    seconds: 60,
  });
  expect(start[0]).toMatchObject({ formula: 'NaH', spaceGroup: 'Fm-3m' });
  expect(result.phases[0]!.rBragg).toBeLessThan(0.01);
  // 4 (22.98977 + 2.01410) u in 4.88³ Å³
  expect(result.phases[0]!.density).toBeCloseTo((4 * 25.00387 * 1.66054) / 4.88 ** 3, 3);
  expect(result.notices.map(({ code }) => code)).not.toContain('natural-hydrogen');
});
