import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { DiffractionError } from '../diffraction-error.ts';
import { decodeText } from '../decode-text.ts';
import { readMeasuredPattern } from '../read-measured-pattern.ts';
import {
  asc,
  attenuated,
  brml,
  cif,
  EXAMPLES,
  gsas,
  panalyticalCsv,
  POINTS,
  ras,
  rasx,
  rawVersion1,
  rawVersion3,
  rawVersion4,
  udf,
  utf8,
  uxd,
  variableTime,
  xrdml,
} from '../testing/instrument-files.ts';

// Damaged instrument files: the parsers must return a pattern or a typed refusal. The random seed is fixed.

/**
 * Reads mutants of a file and of its members; returns how many were read and how many refused.
 * @throws Error for a broken pattern or an untyped error
 */
function readMutants(
  count: number,
  file: Uint8Array,
  members: ReadonlyMap<string, Uint8Array>,
): { read: number; refused: number } {
  const random = seededRandom(38);
  const outcomes = { read: 0, refused: 0 };
  const mutate = (original: Uint8Array): Uint8Array => {
    let bytes = Uint8Array.from(original);
    for (let edits = 1 + Math.floor(random() * 6); edits > 0; edits--) {
      const at = Math.floor(random() * bytes.length);
      const kind = random();
      if (kind < 0.4) bytes[at] = Math.floor(random() * 256);
      else if (kind < 0.5) bytes = bytes.slice(0, at);
      else if (kind < 0.7) bytes = Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at - 40)]);
      else bytes.fill(random() < 0.5 ? 0x39 : 0xff, at, at + Math.floor(random() * 9));
    }
    return bytes;
  };
  for (let round = 0; round < count; round++) {
    const mutants = new Map([...members].map(([name, bytes]) => [name, mutate(bytes)]));
    try {
      const {
        x,
        y,
        sigmas = x.map(() => 1),
      } = readMeasuredPattern(members.size > 0 ? file : mutate(file), mutants);
      if (!x.every((angle, i) => angle >= 0 && angle <= 180 && (i === 0 || angle > x[i - 1])))
        throw new Error(`angles of round ${round}`);
      if (x.length !== y.length || !y.every(Number.isFinite))
        throw new Error(`intensities of round ${round}`);
      if (x.length !== sigmas.length || !sigmas.every((sigma) => sigma > 0 && sigma < Infinity))
        throw new Error(`standard deviations of round ${round}`);
      outcomes.read += 1;
    } catch (error) {
      if (!(error instanceof DiffractionError)) throw error;
      outcomes.refused += 1;
    }
  }
  return outcomes;
}

function reasonOf(bytes: Uint8Array, members?: ReadonlyMap<string, Uint8Array>): unknown {
  try {
    readMeasuredPattern(bytes, members);
    return 'read';
  } catch (error) {
    if (!(error instanceof DiffractionError)) throw error;
    return error.parameters.reason;
  }
}

const NONE: ReadonlyMap<string, Uint8Array> = new Map();

/** The file with the ratio of Kα2 to Kα1 at this offset set to 0. */
const withoutKAlpha2 = (file: Uint8Array, at: number): Uint8Array =>
  Uint8Array.from([...file.slice(0, at), ...new Uint8Array(8), ...file.slice(at + 8)]);

const monochromaticBrml = new Map(
  [...brml()].map(([name, bytes]) => [
    name,
    utf8(decodeText(bytes).replace('<WaveLengthRatio Unit="" Value="0.5"', '<WaveLengthRatio Value="0"')),
  ]),
);

describe('files of instruments', () => {
  it.each(EXAMPLES)('reads the pattern and the header of %s', (_, bytes, members, record) => {
    const pattern = readMeasuredPattern(bytes, members);
    expect(Array.from(pattern.x, (x) => Number(x.toFixed(6)))).toEqual(POINTS.map(({ x }) => x));
    expect(Array.from(pattern.y, (y) => Number(y.toFixed(6)))).toEqual(POINTS.map(({ y }) => y));
    expect(pattern.record).toMatchObject(record);
  });

  it.each<
    readonly [string, Uint8Array, ReadonlyMap<string, Uint8Array>, string, (y: number, i: number) => number]
  >([
    ['plain counts', utf8(xrdml()), NONE, 'counts', (y) => y],
    ['an attenuator of 2', utf8(xrdml({ data: attenuated })), NONE, 'scaled-counts', (y) => 2 * y],
    [
      'half and one and a half of the mean counting time',
      utf8(xrdml({ data: variableTime })),
      NONE,
      'scaled-counts',
      (y, i) => y / (i < 20 ? 0.5 : 1.5),
    ],
    ['an attenuator of 10 in RAS', utf8(ras('TwoTheta')), NONE, 'scaled-counts', (y) => 10 * y],
    [
      'counts per second in RAS, with 0.6 s',
      utf8(ras('TwoTheta').replaceAll(' 10.0000', '').replace('"counts"', '"cps"')),
      NONE,
      'scaled-counts',
      (y) => y / 0.6,
    ],
    [
      'counts per second in steps of 4 s in RAS',
      utf8(
        ras('TwoTheta')
          .replaceAll(' 10.0000', '')
          .replace('"counts"', '"cps"')
          .replace('SPEED "2.0000"', 'SPEED "4.0000"')
          .replace('"deg/min"', '"sec."'),
      ),
      NONE,
      'scaled-counts',
      (y) => y / 4,
    ],
    [
      'counts per second in UXD, with 0.5 s',
      utf8(uxd('COUPLED', true, 'CPS')),
      NONE,
      'scaled-counts',
      (y) => y / 0.5,
    ],
    [
      'Rigaku ASC in counts per second',
      utf8(asc().replace('*BEGIN', '*YUNIT\t\t=  cps\n*BEGIN')),
      NONE,
      'scaled-counts',
      (y) => y / 0.4,
    ],
    [
      'the mean of ten counters, measured by five and fifteen',
      utf8(gsas.counters((i) => (i % 2 === 0 ? 5 : 15))),
      NONE,
      'scaled-counts',
      (y, i) => y / (i % 2 === 0 ? 0.5 : 1.5),
    ],
    ['GSAS ESD', utf8(gsas.esd), NONE, 'file', () => 9.9 ** 2],
    [
      'PANalytical CSV with ESD',
      utf8(panalyticalCsv('Angle, TimePerStep, Intensity, ESD')),
      NONE,
      'file',
      () => 9.9 ** 2,
    ],
    ['GSAS FXYE', utf8(gsas.fxye), NONE, 'file', () => 9.9 ** 2],
    ['CIF with standard uncertainties', utf8(cif()), NONE, 'file', () => 9 ** 2],
  ])('knows the variances of %s', (_, bytes, members, source, varianceOf) => {
    const { y, sigmas, sigmaSource } = readMeasuredPattern(bytes, members);
    expect(sigmaSource).toBe(source);
    expect(Array.from(sigmas!, (sigma) => sigma ** 2)).toEqual(
      Array.from(y, (value, i) => expect.closeTo(varianceOf(value, i), 6)),
    );
  });

  it('BRML rows with different counting times and absorbers are scaled to the mean time, with their variances', () => {
    // 40 s in the first half and 60 s in the second; the strongest line was measured with an absorber.
    const datum = (counts: number, i: number) => {
      const absorption = i === 17 ? 8.3 : 1;
      return [i < 20 ? 40 : 60, absorption, Number((absorption * counts).toFixed(1))];
    };
    const { y, sigmas } = readMeasuredPattern(utf8('PK'), brml('TwoTheta', datum));
    POINTS.forEach((point, i) => {
      const factor = (i === 17 ? 8.3 : 1) * (i < 20 ? 50 / 40 : 50 / 60);
      expect(y[i]).toBeCloseTo(factor * point.y, 6);
      expect(sigmas![i]).toBeCloseTo(factor * Math.sqrt(point.y), 6);
    });
  });

  it('BRML intensities that are not counts are unchanged', () => {
    const { y, sigmas } = readMeasuredPattern(
      utf8('PK'),
      brml('TwoTheta', (rate, i) => [i < 20 ? 40 : 60, 1, rate + 0.25]),
    );
    expect(Array.from(y)).toEqual(POINTS.map((point) => point.y + 0.25));
    expect(sigmas).toBeUndefined();
  });

  it.each([
    ['an XRDML pole figure', utf8(xrdml({ axis: 'Phi' }))],
    ['a RAS rocking curve', utf8(ras('Omega'))],
    ['a UXD scan over χ', utf8(uxd('KHI'))],
    ['a RAW 3 rocking curve', rawVersion3(3)],
    ['a RAW 4 rocking curve', rawVersion4('Rocking Curve')],
    ['a PANalytical CSV rocking curve', utf8(panalyticalCsv(undefined, 'Omega'))],
    ['an ASC pole figure', utf8('*TYPE\t\t=  Raw\n*CLASS\t\t=  Polefig\n*SCAN_AXIS\t=  beta\n')],
    ['an ASC rocking curve', utf8(asc('theta'))],
    ['a RASX scan over φ', utf8('PK'), rasx('Phi')],
    ['a BRML scan over χ', utf8('PK'), brml('Chi')],
  ])('%s is refused: it is not a powder pattern', (_, bytes, members?: ReadonlyMap<string, Uint8Array>) => {
    expect(reasonOf(bytes, members)).toBe('not-two-theta');
  });

  it('refuses GSAS time-of-flight neutron data and gives this as the reason', () => {
    expect(reasonOf(utf8(gsas.timeOfFlight))).toBe('time-of-flight');
  });

  it.each([
    ['a RAW file without its end', rawVersion1.slice(0, 200)],
    ['a RAW file of another maker', utf8('RAW_1.06Powdat\0\0')],
    ['an XRDML file without its end', utf8(xrdml().slice(0, -60))],
    ['an XRDML file with entities', utf8(`<!DOCTYPE a [<!ENTITY b "c">]>${xrdml()}`)],
    ['a RAS file without its end', utf8(ras('TwoTheta').slice(0, -40))],
    ['a GSAS file with fewer values than it says', utf8(gsas.std.replace('BANK 1 40', 'BANK 1 999999999'))],
    ['an ASC file without its end', utf8(asc().slice(0, -120))],
    ['a UDF file without its end', utf8(udf().slice(0, -60))],
    ['a PANalytical CSV file without its end', utf8(panalyticalCsv().slice(0, -60))],
    ['a UXD file with words among its counts', utf8(uxd().replace('20.02\t', 'x\t'))],
  ])('%s is refused as damaged', (_, bytes) => {
    expect(reasonOf(bytes)).toBe('instrument-file');
  });

  it('the mean wavelength of a doublet that matches no anode is weighted 2 : 1 for Kα1', () => {
    const { record } = readMeasuredPattern(utf8(xrdml({ anode: 'Zn', kAlpha1: '1.435155' })));
    // (2 × 1.435155 + 1.544426) / 3
    expect(record?.radiation).toBe('1.471579');
    const monochromatic = { anode: 'Zn', kAlpha1: '1.435155', intended: 'K-Alpha 1', monochromator: 'Ge111' };
    expect(readMeasuredPattern(utf8(xrdml(monochromatic))).record?.radiation).toBe('1.435155');
  });

  it.each<readonly [string, Uint8Array, ReadonlyMap<string, Uint8Array>, string]>([
    ['UXD', utf8(uxd().replace('_WLRATIO=0.5', '_WLRATIO=0.0')), NONE, 'CoKa1'],
    ['PANalytical CSV', utf8(panalyticalCsv().replace('0.500', '0.000')), NONE, 'CoKa1'],
    ['RAW 3', withoutKAlpha2(rawVersion3(0), 648), NONE, 'CuKa1'],
    ['RAW 4', withoutKAlpha2(rawVersion4(), 61 + 104), NONE, 'CuKa1'],
    ['BRML', utf8('PK'), monochromaticBrml, 'AgKa1'],
    ['XRDML', utf8(xrdml().replace('>0.5000<', '>0.0000<')), NONE, 'CuKa1'],
  ])('a ratio of 0 in %s means Kα1 without Kα2', (_, bytes, members, radiation) => {
    const { record } = readMeasuredPattern(bytes, members);
    expect(record).toMatchObject({ radiation, kAlphaRatio: 0 });
    expect(record?.wavelengths).toEqual([{ wavelength: record?.kAlpha1, weight: 1 }]);
  });

  it.each([
    ['leaves out', (i: number) => (i < 5 ? 0 : 0.01), POINTS.slice(5)],
    ['keeps, where no point has a weight,', () => 0, POINTS],
  ])('reading a powder CIF %s points of weight 0', (_, weightOf, kept) => {
    const rows = POINTS.map(({ x, y }, i) => `${x} ${y} ${weightOf(i)}\n`);
    const text = `data_a\nloop_\n_pd_meas_2theta_scan\n_pd_meas_counts_total\n_pd_proc_ls_weight\n${rows.join('')}`;
    const { x, y } = readMeasuredPattern(utf8(text));
    expect(Array.from(x, (angle, i) => ({ x: angle, y: y[i] }))).toEqual(kept);
  });

  // Dictionary cif_pow: the time is looped if it changes, and the total counts are those that were recorded.
  it('counts of a powder CIF with different counting times are scaled to the mean time', () => {
    const rows = POINTS.map(({ x, y }, i) => `${x} ${y} ${i < 20 ? 10 : 30}\n`);
    const text = `data_a\nloop_\n_pd_meas_2theta_scan\n_pd_meas_counts_total\n_pd_meas_step_count_time\n${rows.join('')}`;
    const { y, sigmas, sigmaSource } = readMeasuredPattern(utf8(text));
    expect(sigmaSource).toBe('scaled-counts');
    POINTS.forEach((point, i) => {
      const factor = i < 20 ? 20 / 10 : 20 / 30;
      expect(y[i]).toBeCloseTo(factor * point.y, 9);
      expect(sigmas![i]).toBeCloseTo(factor * Math.sqrt(point.y), 9);
    });
  });

  const withWavelengths = (rows: string, tags = '', items = ''): Uint8Array =>
    utf8(
      cif().replace(
        '_diffrn_radiation_wavelength 1.5406',
        `${items}loop_\n_diffrn_radiation_wavelength\n${tags}${rows}`,
      ),
    );
  const WEIGHT = '_diffrn_radiation_wavelength_wt\n';

  it.each<readonly [string, Uint8Array, string, readonly (readonly [number, number])[]]>([
    [
      'of a doublet without weights have the ratio of the tube',
      withWavelengths('1.54439\n1.5406'),
      'CuKa',
      [
        [1.5406, 1],
        [1.54439, 0.5],
      ],
    ],
    [
      'of a doublet have the weights of the file',
      withWavelengths('1.5406 0.8\n1.54439 0.4\n1.3922 0.008', WEIGHT),
      'CuKa',
      [
        [1.5406, 1],
        [1.54439, 0.5],
        [1.3922, 0.01],
      ],
    ],
    ['without weight are left out', withWavelengths('1.54439 0\n1.5406 1', WEIGHT), 'CuKa1', [[1.5406, 1]]],
    [
      'of no doublet have the weights of the file',
      withWavelengths('0.35 0.02\n0.7 1', WEIGHT),
      '0.7',
      [
        [0.7, 1],
        [0.35, 0.02],
      ],
    ],
    [
      'of neutrons have the weights of the file',
      withWavelengths('1.8 1.0\n0.9 0.01', WEIGHT, '_diffrn_radiation_probe neutron\n'),
      'neutrons 1.8',
      [
        [1.8, 1],
        [0.9, 0.01],
      ],
    ],
  ])('wavelengths of a CIF %s', (_, file, radiation, lines) => {
    const { record } = readMeasuredPattern(file);
    expect(record).toMatchObject({
      radiation,
      wavelengths: lines.map(([wavelength, weight]) => ({ wavelength, weight: expect.closeTo(weight, 9) })),
    });
  });

  it.each([
    ['that are no doublet', '1.5406\n1.3922', '', [1.3922, 1.5406]],
    ['of two anodes', '1.5406\n1.79285', '', [1.5406, 1.79285]],
    ['with a weight that is not stated', '1.5406 1\n1.3922 ?', WEIGHT, [1.5406, 1.3922]],
  ])('wavelengths of a CIF %s give no radiation', (_, rows, tags, unclearWavelengths) => {
    const { record } = readMeasuredPattern(withWavelengths(rows, tags));
    expect(record).toMatchObject({ unclearWavelengths });
    expect([record?.radiation, record?.wavelengths]).toEqual([undefined, undefined]);
  });

  it('reports no radiation if the anode and the wavelength contradict each other', () => {
    const { record } = readMeasuredPattern(utf8(xrdml({ anode: 'Co' })));
    expect(record).toMatchObject({ anode: 'Co', kAlpha1: 1.540598, contradictsAnode: true });
    expect([record?.radiation, record?.wavelengths]).toEqual([undefined, undefined]);
  });

  it.each([
    ['without a monochromator', undefined, 'CuKa', true],
    ['with a Johansson monochromator', 'Johansson 1xGe111', 'CuKa1', false],
  ])(
    'an XRDML file that names Kα1 %s has the radiation that reaches the sample',
    (_, monochromator, radiation, isKAlpha2Kept) => {
      const file = utf8(xrdml({ intended: 'K-Alpha 1', monochromator }));
      expect(readMeasuredPattern(file).record).toMatchObject({ radiation, isKAlpha2Kept });
    },
  );

  const kBetaRas = '*HW_XG_WAVE_LENGTH_BETA "1.392250"\n*MEAS_COND_XG_WAVE_TYPE "Kb"\n*MEAS_SCAN_AXIS';
  const kBetaRasx = new Map(
    [...rasx()].map(([name, bytes]) => [
      name,
      utf8(
        decodeText(bytes).replace(
          '</XrayGenerator>',
          '<WavelengthKbeta>1.392246</WavelengthKbeta><WaveType>Kb</WaveType>$&',
        ),
      ),
    ]),
  );
  it.each([
    ['XRDML', utf8(xrdml({ intended: 'K-Beta' })), NONE],
    ['RAS', utf8(ras('TwoTheta').replace('*MEAS_SCAN_AXIS', kBetaRas)), NONE],
    ['RASX', utf8('PK'), kBetaRasx],
  ])('an %s file that was measured with Kβ has that wavelength', (_, file, members) => {
    const { record } = readMeasuredPattern(file, members);
    expect(record).toMatchObject({ radiation: 'CuKb1', kAlpha1: undefined });
  });

  it.each([
    ['the line of its anode', 'Cu', '', 'CuKb1', 1.39222],
    // Bearden, Rev. Mod. Phys. 39, 78 (1967): 1.62079 Å; files of PANalytical name 1.62083 Å.
    ['the line of cobalt', 'Co', '', '1.62079', 1.62079],
    ['the line of cobalt that it states', 'Co', '1.6208300', '1.62083', 1.62083],
  ])('an XRDML file that was measured with Kβ has %s', (_, anode, kBeta, radiation, wavelength) => {
    const { record } = readMeasuredPattern(utf8(xrdml({ intended: 'K-Beta', anode, kBeta })));
    expect(record).toMatchObject({
      radiation,
      wavelengths: [{ wavelength, weight: 1 }],
      contradictsAnode: false,
    });
  });

  it.each([
    ['wavelength 1.54056 1.54439', 'CuKa', [1.54056, 1.54439]],
    ['Wavelengths used: 1.78897, 1.79285', 'CoKa', [1.78897, 1.79285]],
    ['wavelength 1.54056', 'CuKa1', [1.54056]],
    ['wavelength 0.413529 0.000012', '0.413529', [0.413529]],
  ] as const)('the comment %j gives the radiation %s', (comment, radiation, lines) => {
    const { record } = readMeasuredPattern(
      utf8(`# ${comment}\n${POINTS.map(({ x, y }) => `${x} ${y}\n`).join('')}`),
    );
    expect(record?.radiation).toBe(radiation);
    expect(record?.wavelengths).toEqual(lines?.map((wavelength, i) => ({ wavelength, weight: 1 / (i + 1) })));
  });

  const columns = (separator: string, rest = ''): Uint8Array =>
    utf8(`# 2theta, counts\n${POINTS.map(({ x, y }) => `${x}${separator}${y}${rest}\n`).join('')}`);

  it.each<readonly [string, Uint8Array, ReadonlyMap<string, Uint8Array>]>([
    ...EXAMPLES.map(([name, file, members]) => [name, file, members] as const),
    ['two columns', columns('  '), new Map()],
    ['three columns', columns('\t', '\t1.5'), new Map()],
    ['CSV', columns(','), new Map()],
  ])('gives rising finite angles or a typed refusal for damaged files: %s', (_, file, members) => {
    const count = process.env.NIGHTLY ? 100_000 : 100;
    const { read, refused } = readMutants(count, file, members);
    expect(Math.min(read, refused)).toBeGreaterThan(count / 100);
  });
});
