import { type RefinedPhase, xrdRefine } from '@unitcell/contract/xrd';
import { MAX_EXCLUDED } from '@unitcell/contract/xrd/rules';
import { describe, expect, it } from 'vitest';
import { sizeText, strainText } from './broadening.tsx';
import {
  cellRows,
  DEFAULT_REFINE_SETTINGS,
  gsasWidths,
  phaseOfCif,
  phaseOfMaterial,
  type RefineInput,
  identifyRequest,
  refineRequest,
  regionsIn,
  withEsd,
  withPhase,
} from './refine-view-model.ts';

describe('a value with its e.s.d.', () => {
  it.each([
    [4.759123, 0.000051, '4.75912(5)'],
    [4.759123, 0.00012, '4.75912(12)'],
    [63.44, 0.52, '63.4(5)'],
    [-0.03, 0.0021, '\u22120.030(2)'],
    [-0.0004, 0.012, '0.000(12)'],
    [-0.4, 25, '0(25)'],
    [1234.6, 25, '1235(25)'],
    [0.5, 0.0996, '0.50(10)'],
    [90, null, '90'],
    [-0.5, null, '\u22120.5'],
    [13.0018251, 0, '13.0018'],
  ])('%f with %s is written %s', (value, esd, text) => {
    expect(withEsd(value, esd)).toBe(text);
  });
});

it('the widths of a GSAS-II instrument file become full widths in degrees', () => {
  // FWHM(Gauss) = 2.35482 √W / 100: 0.0527° for W = 5; FWHM(Lorentz) = X / 100 at θ = 0.
  const text =
    '#GSAS-II instrument parameter file\nType:PXC;Bank:1\nLam:1.5406\nU:2.0;V:-2.0;W:5.0;X:3.5;Y:0.0;Z:0.0;SH/L:0.03\n';
  const widths = gsasWidths(text);
  expect(Math.sqrt(widths?.w ?? 0)).toBeCloseTo((2.35482 * Math.sqrt(5)) / 100, 6);
  expect([widths?.u, widths?.v]).toEqual([expect.closeTo(0.001109, 6), expect.closeTo(-0.001109, 6)]);
  expect(widths).toMatchObject({ x: 0.035, y: 0, axial: [0.015, 0.015] });
  expect(gsasWidths(text.replace('PXC', 'PNT'))).toBeNull();
  expect(gsasWidths('2theta,counts\n10,25')).toBeNull();
});

it('sizes and strains are shown with their e.s.d., or as limits', () => {
  const none = { size: null, size_at_least: null, strain: null, strain_at_most: null };
  const broadening = { ...none, size: { value: 25.31, esd: 0.42 }, strain_at_most: 0.000312 };
  expect(sizeText(broadening)).toBe('25.3(4)');
  expect(strainText(broadening)).toBe('< 0.031');
  expect(sizeText({ ...none, size_at_least: 181 })).toBe('> 180');
  expect(strainText(none)).toBe('-');
});

it.each([
  ['cubic', [4, 4, 4, 90, 90, 90], ['a', 'V']],
  ['rhombohedral', [5, 5, 5, 60, 60, 60], ['a', 'α', 'V']],
  ['hexagonal', [5, 5, 8, 90, 90, 120], ['a', 'c', 'V']],
  ['primitive C2/m', [5, 5, 8, 97, 97, 110], ['a', 'c', 'α', 'γ', 'V']],
  ['triclinic', [60, 61, 62, 60, 61, 62], ['a', 'b', 'c', 'α', 'β', 'γ', 'V']],
])('a %s cell is listed by its independent parameters', (_, values, names) => {
  const keys = ['a', 'b', 'c', 'alpha', 'beta', 'gamma', 'volume'];
  const entries = [...values, 60].map((value, at) => [keys[at], { value, esd: 0.1, start: value }]);
  const phase = { name: 'x', cell: Object.fromEntries(entries) } as RefinedPhase;
  expect(cellRows([phase]).map(({ name }) => name)).toEqual(names);
});

describe('excluded regions', () => {
  it.each([
    ['', []],
    ['20-22', [[20, 22]]],
    [
      ' 20 – 22.5, 35.1~36 ',
      [
        [20, 22.5],
        [35.1, 36],
      ],
    ],
    [
      '20-22，40-41',
      [
        [20, 22],
        [40, 41],
      ],
    ],
  ])('"%s" is read', (text, regions) => {
    expect(regionsIn(text)).toEqual(regions);
  });

  it.each(['20', '22-20', 'a-b', '20-22-24', '-5-10'])('"%s" is not read', (text) => {
    expect(regionsIn(text)).toBeNull();
  });
});

it('reads as many regions as the API takes', () => {
  const regions = (count: number): string =>
    Array.from({ length: count }, (_, i) => `${i}-${i + 0.5}`).join();
  expect(regionsIn(regions(MAX_EXCLUDED))).toHaveLength(MAX_EXCLUDED);
  expect(regionsIn(regions(MAX_EXCLUDED + 1))).toBeNull();
});

describe('the chosen phases', () => {
  const phases = [1, 2, 3, 4, 5].map((id) => phaseOfMaterial(id, 'NaCl', 'Fm-3m'));

  it('are at most five, and a phase that is added again is replaced', () => {
    expect(withPhase(phases, phaseOfMaterial(6, 'KCl', 'Fm-3m'))).toBe(phases);
    const changed = { ...phases[1]!, particleSize: 3 };
    expect(withPhase(phases, changed)[1]).toBe(changed);
  });
});

describe('the request', () => {
  const input: RefineInput = {
    data: { x: [10, 80], y: [5, 50], name: 'pristine', background_removed: false },
    record: null,
    radiation: 'CuKα',
    phases: [phaseOfMaterial(138, 'SiO2', 'P3_221', -0.006), phaseOfCif('mine.cif', 'data_mine')],
    settings: DEFAULT_REFINE_SETTINGS,
    ownInstrument: null,
  };

  it('is valid according to the contract of the call', () => {
    const { body } = refineRequest(input);
    expect(xrdRefine.request.safeParse(body).error).toBeUndefined();
    expect(body.phases).toEqual([
      { struct_id: 138, strain: -0.006 },
      { cif: 'data_mine', name: 'mine' },
    ]);
  });

  it('shortens the name of a CIF to the limit of the API', () => {
    const { body } = refineRequest({ ...input, phases: [phaseOfCif(`${'x'.repeat(80)}.cif`, 'data_x')] });
    expect(xrdRefine.request.safeParse(body).error).toBeUndefined();
  });

  it('contains the wavelengths of the file only if the radiation of the file is selected', () => {
    const wavelengths = [
      { wavelength: 1.540598, weight: 1 },
      { wavelength: 1.544426, weight: 0.5 },
    ];
    const record = { format: 'XRDML', axis: '2θ', radiation: 'CuKa', wavelengths, is_slit_variable: false };
    expect(refineRequest({ ...input, record }).body.wavelengths).toEqual(wavelengths);
    expect(refineRequest({ ...input, record, radiation: 'MoKα' }).body.wavelengths).toBeUndefined();
  });

  it('contains the standard deviations of the file, also to identify phases', () => {
    const sigmas = [2.5, 8];
    expect(refineRequest({ ...input, sigmas }).body.sigmas).toEqual(sigmas);
    expect(identifyRequest({ ...input, sigmas, elements: '' }).body.sigmas).toEqual(sigmas);
    expect(refineRequest(input).body).not.toHaveProperty('sigmas');
  });

  it('completes a range of which only one end is given', () => {
    const settings = { ...DEFAULT_REFINE_SETTINGS, from: 20 };
    expect(refineRequest({ ...input, settings }).body.range).toEqual([20, 80]);
  });

  it('starts from the line widths of a standard only if these are stored', () => {
    const settings = { ...DEFAULT_REFINE_SETTINGS, instrument: 'own' as const };
    const ownInstrument = { u: 0.01, v: 0, w: 0.005, x: 0, y: 0 };
    expect(refineRequest({ ...input, settings, ownInstrument }).body).toMatchObject({
      instrument: ownInstrument,
      is_calibrated: true,
    });
    expect(refineRequest({ ...input, settings }).body.instrument).toBeUndefined();
  });
});
