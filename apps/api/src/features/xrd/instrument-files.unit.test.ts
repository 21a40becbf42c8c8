/** Compares real files of instruments with exports by the makers or results of independent readers. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { DiffractionError, readMeasuredPattern } from '@unitcell/diffraction';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { archiveMembers } from './xrd.thread.ts';

const pathOf = (...parts: string[]): string => sharedPath('datasets', 'xrd-files', ...parts);

async function read(name: string) {
  const bytes = readFileSync(pathOf(name));
  return readMeasuredPattern(bytes, await archiveMembers(bytes));
}

/** Angles and intensities of the first scan. */
function answerTo(name: string): number[][] {
  const [, first = ''] = gunzipSync(readFileSync(pathOf('answers', `${name}.csv.gz`)))
    .toString()
    .split(/^# scan.*\n/m);
  return first
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number));
}

describe.skipIf(!hasSharedData)('files of instruments', () => {
  it.each([
    ['pan-powder-a.xrdml', { radiation: 'CuKa', anode: 'Cu', kAlpha1: 1.540598, stepSeconds: 62.23 }],
    ['pan-insitu-1.xrdml', { radiation: 'CuKa' }],
    ['pan-powder-with-exports.xrdml', { monochromator: 'Inc. beam Johansson 1xGe111 Cu/Co' }],
    [
      'pan-attenuator-v10.xrdml',
      { radiation: 'CuKa1', axis: '2Theta-Omega', divergenceSlit: 'Slit Fixed 1/8°' },
    ],
    ['pan-rocking-2theta.xrdml', { axis: 'Omega-2Theta', step: 0.0004 }],
    ['pan-mesh-101-scans.xrdml', { axis: '2Theta' }],
    ['rigaku-cr-ni.ras', { radiation: 'CuKa', axis: 'TwoThetaTheta', stepSeconds: 0.6 }],
    ['rigaku-hob2.ras', { anode: 'Cu', divergenceSlit: '1.250deg' }],
    ['rigaku-lsco.ras', { anode: 'Cu' }],
    ['rigaku-film-laalo3.ras', { step: 0.02, radiation: 'CuKa1' }],
    ['rigaku-two-scans.ras', { otherScans: ['TwoThetaOmega 56–66'] }],
    ['rigaku-powder-a.rasx', { axis: 'TwoThetaTheta', radiation: 'CuKa' }],
    ['rigaku-powder-c.rasx', { step: 0.04, stepSeconds: 2.4, radiation: 'CuKa1' }],
    ['rigaku-omega2theta.rasx', { axis: 'TwoThetaOmega' }],
    ['bruker-v1.raw', { format: 'Bruker RAW 1', radiation: 'CuKa', step: 0.04, stepSeconds: 4 }],
    ['bruker-v3-a.raw', { format: 'Bruker RAW 3', kAlphaRatio: 0.5, stepSeconds: 0.5, isSlitVariable: true }],
    ['bruker-v3-d5000-2.raw', { anode: 'Co', radiation: 'CoKa', isSlitVariable: false }],
    ['bruker-v3-three-ranges.raw', { otherScans: ['2θ 30–35', '2θ 40–45'] }],
    ['bruker-v3-lab6.raw', { radiation: 'CuKa', stepSeconds: 95 }],
    ['bruker-v3-b.raw', { stepSeconds: 564.03 }],
    ['bruker-v4-tio2.raw', { format: 'Bruker RAW 4', axis: 'Locked Coupled', anode: 'Cu' }],
    ['bruker-v4-scrambled.raw', { radiation: 'CuKa1' }],
    ['bruker-v3-a.uxd', { axis: 'COUPLED', radiation: 'CuKa', divergenceSlit: 'V6', isSlitVariable: true }],
    ['bruker-absorber.brml', { axis: '2Theta/Omega', radiation: 'CuKa', kAlphaRatio: 0.5 }],
    ['bruker-silver-anode.brml', { anode: 'Ag', radiation: 'AgKa', stepSeconds: 96 }],
    ['gsas-std-lab6.gsas', { format: 'GSAS' }],
    ['gsas-std-co.raw', { step: 0.017 }],
    ['gsas-esd-quinoline.gda', { step: 0.004 }],
    ['gsas-fxye-11bm-a.fxye', { radiation: '0.413529' }],
    ['text-bmb.xye', { format: 'XY', radiation: '0.414581' }],
    ['text-lactose.xye', {}],
    ['text-mac.xye', {}],
    ['text-comma-header.xy', {}],
    ['text-uneven-step.dat', {}],
    ['csv-sample.csv', {}],
  ])('%s agrees point by point with a reference, and its header is understood', async (name, record) => {
    const pattern = await read(name);
    const answer = answerTo(name);
    expect(pattern.x.length + pattern.mergedPoints).toBe(answer.length);
    const different = answer.filter(([angle = Number.NaN, intensity = Number.NaN], i) => {
      // The reference values have six digits.
      const agrees =
        Math.abs(pattern.x[i]! - angle) < 1e-4 &&
        Math.abs(pattern.y[i]! - intensity) <= 1e-4 + 6e-6 * Math.abs(intensity);
      return !agrees;
    });
    expect(different).toEqual([]);
    expect(pattern.record ?? {}).toMatchObject(record);
  });

  it('a CSV export by PANalytical has the pattern and the radiation of its XRDML file', async () => {
    const [file, exported] = await Promise.all(
      ['xrdml', 'csv'].map((ending) => read(`pan-powder-with-exports.${ending}`)),
    );
    const { anode, wavelengths, stepSeconds, axis } = file!.record!;
    expect(exported!.record).toMatchObject({ radiation: 'CuKa1', anode, wavelengths, stepSeconds, axis });
    expect(exported!.y).toEqual(file!.y);
    // Angles of the export have nine decimals.
    expect(Math.max(...exported!.x.map((angle, i) => Math.abs(angle - file!.x[i]!)))).toBeLessThan(1e-8);
  });

  // The collection's reference values come from another column, so the expected values here were read from
  // the files themselves. The first points of both files have the weight 0.
  it.each([
    ['pdcif-alumina.cif', 3299, 3.0324, 149, 'neutrons 1.5402'],
    ['pdcif-cod-1517474.cif', 3189, 6.868, 576, 'neutrons 2.0785'],
  ])(
    '%s gives the measured intensities at corrected angles, and the neutrons',
    async (name, points, angle, intensity, radiation) => {
      const { x, y, record } = await read(name);
      expect([x.length, x[0], y[0], record?.radiation]).toEqual([points, angle, intensity, radiation]);
    },
  );

  it.each([
    // The σ² that the file states for the point with this index.
    ['text-lactose.xye', 'file', 1, 174.24],
    ['gsas-esd-quinoline.gda', 'file', 1, 342.25],
    ['pdcif-alumina.cif', 'file', 0, 19 ** 2],
    // 213600.5 was measured as 25735 counts behind an absorber of 8.3.
    ['bruker-absorber.brml', 'scaled-counts', 895, 1_772_884.15],
    ['pan-attenuator-v10.xrdml', 'counts', 0, 9],
    ['pan-mesh-101-scans.xrdml', 'counts', 0, 41],
    // Integrated by the detector: no whole counts.
    ['rigaku-powder-c.rasx', undefined, 0, undefined],
  ] as const)('%s gives the variances of its intensities', async (name, source, point, variance) => {
    const { sigmas, sigmaSource } = await read(name);
    expect(sigmaSource).toBe(source);
    expect(sigmas && Number((sigmas[point]! ** 2).toFixed(3))).toBe(variance);
  });

  it.each([
    ['pan-polefigure-phi.xrdml', 'not-two-theta'],
    ['rigaku-polefigure-110.asc', 'not-two-theta'],
    ['chi-q-axis.chi', 'not-two-theta'],
    ['stoe-powdat.raw', 'instrument-file'],
    ['ascii-raw-1941.raw', 'binary'],
    ['pdcif-many-blocks.cif', 'too-few'],
  ])('%s is refused: %s', async (name, reason) => {
    const refusal = await read(name).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DiffractionError);
    expect((refusal as DiffractionError).parameters.reason).toBe(reason);
  });
});
