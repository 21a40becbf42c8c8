import type { MatchResult, ReferencePattern, XrdData } from '@unitcell/contract/xrd';
import { describe, expect, it, vi } from 'vitest';
import { findPeaks, readMeasuredPattern, removeBackground } from '@unitcell/diffraction';
import {
  CHART_ID,
  clearlyUnexplained,
  firstWorthShowing,
  hitsOf,
  lastAngle,
  namedHit,
  otherWay,
  peakRows,
  pictureOf,
  isRadiationValid,
  neutronsTyped,
  radiationIn,
  readFilter,
  rivalsOf,
  roundOf,
  showChart,
  sourceGroups,
  wavelengthText,
} from './matching.ts';
import { currentStep, openMeasurement, patternBefore, undone, withStep } from './use-matcher.ts';
import { patternText, samplePattern } from './sample-pattern.ts';
import { readLineList } from './components/match-form.tsx';
import { positionsOf } from './series/series-part.tsx';

const peaks = [
  { twoThetaDeg: 20.86, intensity: 22 },
  { twoThetaDeg: 26.64, intensity: 100 },
  { twoThetaDeg: 50.14, intensity: 14 },
];

describe('the sample', () => {
  it('is a valid measurement whose reflections are found after background removal', () => {
    const { x, y } = readMeasuredPattern(new TextEncoder().encode(patternText(samplePattern(peaks))));
    expect(x).toHaveLength(3501);
    const found = findPeaks(x, removeBackground(x, y)).map(({ twoThetaDeg }) => twoThetaDeg);
    expect(found).toHaveLength(peaks.length);
    for (const [index, { twoThetaDeg }] of peaks.entries())
      expect(Math.abs((found[index] ?? 0) - twoThetaDeg)).toBeLessThan(0.05);
  });

  it('is deterministic', () => {
    expect(samplePattern(peaks)).toEqual(samplePattern(peaks));
  });
});

const raw: XrdData = { x: [10, 11], y: [5, 50], name: 'pristine', background_removed: false };
const normalised: XrdData = { ...raw, y: [10, 100], name: 'normlized' };
const clean: XrdData = { ...normalised, y: [0, 100], background_removed: true };
const uploaded = openMeasurement('a.xy', raw, []);

it.each([
  ['above the window', -500, 1],
  ['in the window', 300, 0],
  ['below the window', 1100, 1],
])('the page scrolls to the chart if it is out of view: %s', (_, top, scrolls) => {
  const chart = document.body.appendChild(document.createElement('div'));
  chart.id = CHART_ID;
  vi.spyOn(chart, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, top, 800, 400));
  vi.stubGlobal('innerHeight', 1000);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const scrollTo = vi.spyOn(window, 'scrollTo');
  showChart();
  chart.remove();
  expect(scrollTo).toHaveBeenCalledTimes(scrolls);
});

describe('a measurement', () => {
  it('records its steps and undoes them one by one', () => {
    const both = withStep(withStep(uploaded, 'normalise', normalised), 'background', clean);
    expect(currentStep(both).data).toEqual(clean);
    expect(currentStep(undone(both)).data).toEqual(normalised);
    expect(currentStep(undone(undone(both))).data).toEqual(raw);
  });

  it('keeps the upload when everything is undone', () => {
    expect(undone(uploaded)).toEqual(uploaded);
  });

  it('keeps only the fields of a pattern', () => {
    const answer = { ...clean, message: '', background: [5, 0] };
    expect(currentStep(withStep(uploaded, 'background', answer)).data).toEqual(clean);
  });

  it('shows the previous pattern only if the shape changed', () => {
    expect(patternBefore(uploaded)).toBeNull();
    expect(patternBefore(withStep(uploaded, 'normalise', normalised))).toBeNull();
    expect(patternBefore(withStep(withStep(uploaded, 'normalise', normalised), 'background', clean))).toEqual(
      normalised,
    );
  });
});

describe('readFilter', () => {
  it.each([
    ['', { kind: 'all' }],
    ['only: Al N', { kind: 'exactly', elements: ['Al', 'N'] }],
    ['include: al n *', { kind: 'atLeast', elements: ['Al', 'N'] }],
    ['only: Xx', { kind: 'wrong', reason: 'symbol', found: 'Xx' }],
    ['only: Al *', { kind: 'wrong', reason: 'star', found: '' }],
    ['without: Al', { kind: 'wrong', reason: 'keyword', found: 'without' }],
    ['include: *', { kind: 'wrong', reason: 'no-element', found: '' }],
  ])('reads %j', (text, reading) => {
    expect(readFilter(text)).toEqual(reading);
  });
});

describe('the sources', () => {
  it('are 24, from six anodes, Cu Kα first', () => {
    const groups = sourceGroups('CuKα');
    expect(groups.map(({ group }) => group)).toEqual(['Cu', 'Mo', 'Cr', 'Fe', 'Co', 'Ag']);
    expect(groups.flatMap(({ items }) => items)).toHaveLength(24);
    expect(wavelengthText('CuKα')).toBe('1.54184');
    expect(wavelengthText('AgKβ1')).toBe('0.497082');
  });

  it('offer the wavelength of a file even if it is not a line of an X-ray tube', () => {
    const record = { format: 'GSAS', axis: '2θ', radiation: '0.413529', is_slit_variable: false };
    expect(radiationIn(record)).toBe('0.413529');
    expect(radiationIn({ ...record, radiation: 'CoKa' })).toBe('CoKα');
    expect(radiationIn(null)).toBeNull();
    expect(sourceGroups('0.413529').at(-1)).toEqual({ group: 'λ (Å)', items: ['0.413529'] });
    expect(wavelengthText('0.413529')).toBe('0.413529');
  });

  it('include neutrons of a typed wavelength, which is checked', () => {
    const record = { format: 'CIF', axis: '2θ', radiation: 'neutrons 1.5402', is_slit_variable: false };
    expect(radiationIn(record)).toBe(neutronsTyped('1,5402'));
    expect(wavelengthText('neutrons 1.5402')).toBe('1.5402');
    expect(sourceGroups('neutrons 1.5402')).toHaveLength(6);
    const valid = ['CuKα', '0.4', 'neutrons 1.5402', 'neutrons ', 'neutrons 1.2.3', 'neutrons 40'].map(
      isRadiationValid,
    );
    expect(valid).toEqual([true, true, true, false, false, false]);
  });
});

it('a background bump below 2 % of the strongest peak is not an unexplained peak', () => {
  const weak = { ...peak(5.6), intensity: 1.2 };
  const hit = { unexplained: [peak(40), weak] };
  expect(clearlyUnexplained(hit).map(({ two_theta }) => two_theta)).toEqual([40]);
});

it('the methods are exclusive', () => {
  expect(otherWay('DTW')).toBe('Euclidean');
  expect(otherWay('Euclidean')).toBe('DTW');
});

const peak = (two_theta: number) => ({ two_theta, d: 2, intensity: 50, height: 40, fwhm: 0.2 });
const result: MatchResult = {
  error: 'false',
  message: '',
  results: [
    [0.2, 486, 'NaCl', 'Fm-3m', 2, 0],
    [0.21, 496, 'AgBr', 'Fm-3m', 2, null],
    [0.6, 138, 'SiO2', 'P3_121', 9, 0.008],
  ],
  hits: [
    {
      struct_id: 486,
      strain: 0.004,
      explained_share: 0.9,
      confirmed_share: 0.95,
      confidence: 'confident',
      unexplained_peaks: [peak(40)],
      rivals: [496],
    },
    {
      struct_id: 496,
      strain: -0.02,
      explained_share: 0.9,
      confirmed_share: 0.95,
      confidence: 'confident',
      unexplained_peaks: [],
      rivals: [486],
    },
    {
      struct_id: 138,
      strain: 0,
      explained_share: 0.1,
      confirmed_share: 0.5,
      confidence: 'none',
      unexplained_peaks: [],
      rivals: [],
    },
  ],
  crystal_size: 56,
  radiation: 'CuKα',
  wavelength: 1.54184,
  named: 486,
  confidence: 'confident',
  statement: '',
  peaks: [peak(30), peak(40)],
  warnings: [],
  candidates: 3,
  seconds: 0.1,
  waited_seconds: 0,
};
const round = roundOf(result, []);
const [nacl, , quartz] = round.hits;

describe('hitsOf', () => {
  it('joins rows with their details', () => {
    expect(hitsOf(result)[0]).toMatchObject({
      structId: 486,
      formula: 'NaCl',
      spaceGroup: 'Fm-3m',
      nsites: 2,
      eHull: 0,
      distance: 0.2,
      strain: 0.004,
      explained: 0.9,
      confirmed: 0.95,
      confidence: 'confident',
    });
    expect(hitsOf(result)[1]?.eHull).toBeNull();
  });

  it('treats a row without details as explaining nothing', () => {
    expect(hitsOf({ ...result, hits: [] })[0]).toMatchObject({ confidence: 'none', explained: 0 });
  });
});

describe('the hit named in the verdict', () => {
  it('is shown over the measurement if it is good enough', () => {
    expect(firstWorthShowing(round)).toBe(nacl);
    const poor = { ...result, results: result.results.slice(2), hits: result.hits.slice(2) };
    expect(firstWorthShowing(roundOf(poor, []))).toBeNull();
    expect(firstWorthShowing(roundOf({ ...result, results: [], hits: [], named: null }, []))).toBeNull();
  });

  it('is the hit that the server names, not the one with the smallest distance', () => {
    expect(namedHit(roundOf({ ...result, named: 496 }, []))?.structId).toBe(496);
    expect(namedHit(roundOf({ ...result, named: 7 }, []))?.structId).toBe(486);
  });

  it('has the rivals that the server names; a poor hit has none', () => {
    expect(nacl && rivalsOf(round, nacl).map(({ formula }) => formula)).toEqual(['AgBr']);
    expect(quartz && rivalsOf(round, quartz)).toEqual([]);
  });
});

it('the peaks explained by the selected hit are marked', () => {
  expect(peakRows(result.peaks, nacl ?? null).map(({ isExplained }) => isExplained)).toEqual([true, false]);
  expect(peakRows(result.peaks, null).map(({ isExplained }) => isExplained)).toEqual([null, null]);
});

describe('pictureOf', () => {
  const x = Array.from({ length: 101 }, (_, i) => 20 + i / 5);
  const line = (at: number) => x.map((angle) => 1000 * Math.exp(-((angle - at) ** 2) / 0.1));
  const data: XrdData = { x, y: line(30), name: 'pristine', background_removed: true };
  const reference: ReferencePattern = {
    error: 'false',
    message: '',
    x,
    y: line(30).map((value) => value / 10),
    data: [
      { name: 'NaCl', x: [10, 30], y: [50, 100], text: ['(1 1 1) ×8, d = 3.26 Å', '(2 0 0) ×6, d = 2.82 Å'] },
    ],
    wavelength: 1.54184,
    crystal_size: 56,
    struct_id: 486,
    formula: 'NaCl',
    space_group: 'Fm-3m',
    radiation: 'CuKα',
    strain: 0.004,
  };

  it('is only the measurement before a match', () => {
    const picture = pictureOf({ data, before: null, round: null, hit: null, reference: null });
    expect(picture).toMatchObject({
      measured: data,
      reference: null,
      explained: [],
      unexplained: [],
      isRest: false,
    });
  });

  it('contains the scaled reference, its reflections in range, and the unexplained peaks', () => {
    const picture = pictureOf({ data, before: null, round, hit: nacl ?? null, reference });
    expect(picture.reference?.overlay.scale).toBeCloseTo(10);
    expect(picture.reference?.reflections.map(({ twoThetaDeg }) => twoThetaDeg)).toEqual([30]);
    expect(picture.unexplained).toEqual([40]);
  });

  it('shows the remaining pattern over the whole measurement, with the removed phases', () => {
    if (!nacl) throw new Error('no hit');
    const rest = { ...data, y: line(35) };
    const second = roundOf({ ...result, rest, explained_share: 0.5 }, [{ hit: nacl, reference }]);
    const picture = pictureOf({ data, before: null, round: second, hit: null, reference: null });
    expect(picture).toMatchObject({ measured: rest, before: data, isRest: true });
    expect(picture.explained.map(({ name }) => name)).toEqual(['NaCl (486)']);
  });
});

it('references are requested up to the end of the measurement, and at most to the largest angle', () => {
  const data = (last: number): XrdData => ({
    x: [5, last],
    y: [1, 2],
    name: 'pristine',
    background_removed: false,
  });
  expect(lastAngle(data(65.02))).toBe(66);
  expect(lastAngle(data(180))).toBe(179);
});

describe('a list of spacings and intensities', () => {
  it.each([
    ['3.342 100\n4.255 22', 2],
    ['# quartz\n3.342, 100, 101\n\n4.255;22\n', 2],
    ['3.342\t100', 1],
  ])('%j is read as %i lines', (text, count) => {
    const found = readLineList(text);
    expect(found.kind === 'lines' && found.lines.length).toBe(count);
    expect(found).toMatchObject({
      lines: [{ d: 3.342, intensity: 100 }, ...Array.from({ length: count - 1 }, () => ({}))],
    });
  });

  it.each([
    ['3.342 100\nquartz', 2],
    ['3.342', 1],
    ['0.1 100', 1],
    ['3.342 -5', 1],
  ])('%j is refused at line %i', (text, line) => {
    expect(readLineList(text)).toMatchObject({ kind: 'wrong', line });
  });

  it.each(['', '\n# nothing\n', '3.342 0'])('%j has no line', (text) => {
    expect(readLineList(text)).toEqual({ kind: 'empty' });
  });
});

describe('positions of the scans of a series', () => {
  it.each([
    [
      ['scan_25C.xrdml', 'scan_100C.xrdml', 'scan_50C.xrdml'],
      [25, 100, 50],
    ],
    [
      ['a1_300K_2.5min.xy', 'a1_300K_10min.xy'],
      [2.5, 10],
    ],
    [
      ['run7_-20.xy', 'run7_20.xy'],
      [-20, 20],
    ],
    [
      ['LaB6_run_3.raw', 'LaB6_run_4.raw'],
      [3, 4],
    ],
    [
      ['first.xy', 'second.xy'],
      [1, 2],
    ],
    [
      ['a5.xy', 'b5.xy'],
      [1, 2],
    ],
  ])('%j are %j', (names, positions) => {
    expect(positionsOf(names)).toEqual(positions);
  });
});
