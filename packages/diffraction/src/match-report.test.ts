import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  CONFIDENT_AGREEMENT,
  CONFIDENT_DISTANCE,
  explainedBy,
  explainTheRest,
  judge,
  type MatchCandidate,
  matchReport,
  namedCandidate,
  POSSIBLE_DISTANCE,
  RIVAL_AGREEMENT,
  RIVAL_DISTANCE,
  strainedLines,
} from './match-report.ts';
import { buildPatternIndex, packPattern, unpackPattern } from './pattern-index.ts';
import type { MeasuredPeak } from './peaks.ts';
import { parseElementFilter, preparePatternQuery } from './pattern-query.ts';
import { angleGrid, profile } from './profile.ts';
import { REFERENCE_WAVELENGTH, twoThetaDegOf } from './radiation.ts';
import { searchPatterns } from './search-patterns.ts';

const candidate = (change: Partial<MatchCandidate> = {}): MatchCandidate => ({
  formula: 'NaCl',
  spaceGroup: 'Fm-3m',
  distance: 0.2,
  explained: 1,
  confirmed: 1,
  ...change,
});

describe('namedCandidate', () => {
  it('names the only candidate, or the nearer of two with equal agreement, and nothing in an empty list', () => {
    expect(namedCandidate([])).toBeUndefined();
    expect(namedCandidate([candidate({ explained: 0 })])).toBe(0);
    expect(namedCandidate([candidate(), candidate({ explained: 0.95, distance: 0.19 })])).toBe(1);
  });

  it('does not choose a candidate that explains every peak only because it has lines everywhere', () => {
    const dense = candidate({ distance: 0.3, explained: 1, confirmed: 0.4 });
    expect(namedCandidate([dense, candidate({ distance: 0.4, explained: 0.8 })])).toBe(1);
  });
});

describe('judge', () => {
  it('applies the stated limits', () => {
    const of = (change: Partial<MatchCandidate>) => judge([candidate(change)], 0).confidence;
    expect(of({ distance: CONFIDENT_DISTANCE, explained: CONFIDENT_AGREEMENT })).toBe('confident');
    expect(of({ distance: CONFIDENT_DISTANCE + 1e-9 })).toBe('possible');
    expect(of({ explained: CONFIDENT_AGREEMENT - 1e-9 })).toBe('possible');
    expect(of({ distance: POSSIBLE_DISTANCE + 1e-9 })).toBe('none');
    expect(of({ explained: 0.59 })).toBe('none');
  });

  it('accepts a lower agreement as possible if the elements are known', () => {
    // A measured film of Cs3Bi2Br9: the right phase is first, but without its elements the verdict is "none".
    const film = [candidate({ distance: 0.675, explained: 0.8, confirmed: 0.71 })];
    expect(judge(film, 0).confidence).toBe('none');
    expect(judge(film, 0, true).confidence).toBe('possible');
    expect(judge([candidate({ distance: 0.71 })], 0, true).confidence).toBe('none');
    expect(judge([candidate({ explained: 0.49, confirmed: 1 })], 0, true).confidence).toBe('none');
  });

  it('rivals are phases that are close in distance and in agreement', () => {
    const others = [
      candidate({ formula: 'KCl', distance: 0.2 * RIVAL_DISTANCE }),
      candidate({ formula: 'LiF', distance: 0.2 * RIVAL_DISTANCE + 0.001 }),
      candidate({ formula: 'CsCl', explained: 0.85 }),
      candidate({ formula: 'RbCl', explained: RIVAL_AGREEMENT }),
      candidate({ formula: 'RbBr', explained: RIVAL_AGREEMENT - 1e-9 }),
      candidate({ spaceGroup: 'Pm-3m' }),
      candidate(),
    ];
    expect(judge([candidate(), ...others], 0)).toEqual({ confidence: 'possible', rivals: [1, 4, 6] });
  });

  it.each([
    ['P3_121', 'P3_221'],
    ['P4_32_12', 'P4_12_12'],
    ['P6_122', 'P6_522'],
    ['P6_4', 'P6_2'],
    ['P4_132', 'P4_332'],
  ])('recognises %s and %s as enantiomorphic', (one, other) => {
    expect(judge([candidate({ spaceGroup: one }), candidate({ spaceGroup: other })], 0).rivals).toEqual([]);
  });
});

const grid = angleGrid(8, 70, 0.02);

function phase(seed: number): { dSpacings: number[]; intensities: number[] } {
  const random = seededRandom(seed);
  const lines = Array.from({ length: 14 }, () => [1.35 + 5 * random() ** 2, 0.1 + random()] as const);
  return { dSpacings: lines.map(([d]) => d), intensities: lines.map(([, intensity]) => intensity) };
}

const drawn = (one: ReturnType<typeof phase>, share: number): Float64Array =>
  profile(
    one.dSpacings.map((d, i) => ({
      twoThetaDeg: twoThetaDegOf(d, REFERENCE_WAVELENGTH),
      intensity: one.intensities[i],
    })),
    { crystalliteSizeNm: 40, wavelength: REFERENCE_WAVELENGTH, grid },
  ).map((value) => share * value);

const phases = Array.from({ length: 40 }, (_, i) => phase(i + 1));
const packed = phases.map((one) => packPattern(one));
const index = buildPatternIndex(packed.map((bytes, id) => ({ id, packed: bytes })));
const random = seededRandom(77);
const noise = Float64Array.from(grid, () => 0.4 * random());
const mixture = drawn(phases[4], 1).map((value, i) => value + drawn(phases[9], 0.4)[i] + noise[i]);

const range = [8, 70] as const;

describe('matchReport', () => {
  const judged = (y: Float64Array) => {
    const query = preparePatternQuery(grid, y);
    const [hit] = searchPatterns(index, query);
    const { wavelength } = query;
    const report = matchReport(query.peaks, unpackPattern(packed[hit.position]), {
      ...hit,
      wavelength,
      range,
    });
    const { confidence } = judge([{ ...hit, ...report, formula: '', spaceGroup: '' }], 0);
    return { id: hit.id, report, confidence, peaks: query.peaks };
  };

  it('explains and confirms a pure phase completely, with confidence', () => {
    const { id, report, confidence } = judged(drawn(phases[4], 1));
    expect(id).toBe(4);
    expect(report).toEqual({ explained: 1, confirmed: 1, unexplainedPeaks: [] });
    expect(confidence).toBe('confident');
  });

  it('reports a wrong phase as not fitting, with its peaks listed, strongest first', () => {
    const { report, confidence } = judged(drawn(phase(500), 1));
    expect(confidence).toBe('none');
    const areas = report.unexplainedPeaks.map((peak) => peak.area);
    expect(areas).toEqual(areas.toSorted((a, b) => b - a));
  });

  it('defines `explained` as a share of the intensity, not of the number of peaks', () => {
    const { report, peaks } = judged(mixture);
    const open = report.unexplainedPeaks.reduce((sum, peak) => sum + peak.area, 0);
    const all = peaks.reduce((sum, peak) => sum + peak.area, 0);
    expect(report.explained).toBeCloseTo(1 - open / all, 12);
    const lines = [4, 9].map((i) =>
      strainedLines(unpackPattern(packed[i]), { wavelength: 1.54184, strain: 0, range }),
    );
    expect(explainedBy(peaks, lines).share).toBeGreaterThan(0.99);
    expect(explainedBy(peaks, [lines[0]]).share).toBeCloseTo(report.explained, 2);
  });

  it('gives no match if there are no peaks', () => {
    const report = matchReport([], unpackPattern(packed[0]), { wavelength: 1.54184, strain: 0 });
    expect(report).toMatchObject({ explained: 0, confirmed: 0 });
  });

  it('shifts lines with the strain by Bragg’s law', () => {
    const reference = { dSpacings: [2, 1.5], intensities: [100, 50] };
    const [line] = strainedLines(reference, { wavelength: 1.54184, strain: 0.01 });
    expect(line?.twoThetaDeg).toBeCloseTo(twoThetaDegOf(2.02, 1.54184), 10);
  });
});

describe('matchReport compared with values counted by hand', () => {
  const K_ALPHA = REFERENCE_WAVELENGTH;
  const reference = { dSpacings: [3, 2.5, 2, 1.8], intensities: [100, 50, 6, 2] };
  const [first, second, third, fourth] = reference.dSpacings.map((d) => twoThetaDegOf(d, K_ALPHA));
  const peak = (twoThetaDeg: number, area: number, widthDeg = 0.1): MeasuredPeak => ({
    twoThetaDeg,
    area,
    widthDeg,
    height: area,
  });
  const report = (peaks: readonly MeasuredPeak[]) =>
    matchReport(peaks, reference, { wavelength: K_ALPHA, strain: 0, range: [10, 90] });

  it('expects all lines at least as strong as the weakest peak', () => {
    // The weakest peak has 4 % of the strongest, so lines with an intensity of at least 4 are expected: 100, 50 and 6.
    // The pattern has the lines 100 and 6.
    const { confirmed, explained } = report([peak(first, 1000), peak(third, 40)]);
    expect(confirmed).toBeCloseTo(106 / 156, 12);
    expect(explained).toBe(1);
    // With an additional peak of 1 %, the line of intensity 2 is also expected.
    expect(report([peak(first, 1000), peak(third, 40), peak(fourth, 10)]).confirmed).toBeCloseTo(
      108 / 158,
      12,
    );
  });

  it('a line a tenth as strong as a peak explains it, and a peak a tenth as strong as a line confirms it', () => {
    // If another peak has an area of 100, the line of intensity 6 explains peaks of up to 60 and is confirmed by peaks
    // of at least 0.6.
    const unexplained = (area: number): number =>
      report([peak(first, 100), peak(third, area)]).unexplainedPeaks.length;
    expect([unexplained(59.9), unexplained(60.1)]).toEqual([0, 1]);
    // The line of intensity 50 is confirmed by a peak of 5.1, but not by a peak of 4.9. The line of intensity
    // 2 is weaker than the weakest peak, and that of intensity 6 is missing.
    const confirmed = (area: number): number => report([peak(first, 100), peak(second, area)]).confirmed;
    expect(confirmed(5.1)).toBeCloseTo(150 / 156, 12);
    expect(confirmed(4.9)).toBeCloseTo(100 / 156, 12);
  });

  it('a line explains a peak within one peak width or 0.25°, whichever is larger', () => {
    const isExplained = (offset: number, width: number): boolean =>
      report([peak(first, 100), peak(second + offset, 50, width)]).explained === 1;
    expect([0.24, 0.26, -0.24, -0.26].map((offset) => isExplained(offset, 0.1))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([0.39, 0.41].map((offset) => isExplained(offset, 0.4))).toEqual([true, false]);
  });

  it('lists the unexplained peaks, strongest first, and counts their intensity', () => {
    const { explained, unexplainedPeaks } = report([peak(first, 60), peak(20, 10), peak(70, 30)]);
    expect(explained).toBeCloseTo(0.6, 12);
    expect(unexplainedPeaks.map(({ area }) => area)).toEqual([30, 10]);
  });
});

describe('explainTheRest', () => {
  it('after the main phase of a mixture is subtracted, the second phase is found first', () => {
    const query = preparePatternQuery(grid, mixture);
    const [first] = searchPatterns(index, query);
    expect(first?.id).toBe(4);
    const rest = explainTheRest(grid, mixture, unpackPattern(packed[4]), {
      wavelength: query.wavelength,
      strain: first.strain,
      crystalliteSizeNm: query.crystalliteSizeNm,
    });
    const [second] = searchPatterns(index, preparePatternQuery(grid, rest));
    expect(second?.id).toBe(9);
  });

  it('subtracting a pure phase leaves only noise', () => {
    const y = drawn(phases[4], 1);
    const rest = explainTheRest(grid, y, unpackPattern(packed[4]), {
      wavelength: 1.54184,
      strain: 0,
      crystalliteSizeNm: 40,
    });
    const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
    expect(sum(rest) / sum(y)).toBeLessThan(0.12);
  });
});

describe('parseElementFilter', () => {
  it.each([
    ['only: Al N', ['Al', 'N'], false],
    ['Only:al,n', ['Al', 'N'], false],
    ['include: Al N', ['Al', 'N'], false],
    ['include: Al N *', ['Al', 'N'], true],
    ['INCLUDE：ti-o-*', ['Ti', 'O'], true],
    ['Al N N', ['Al', 'N'], false],
    ['Al N *', ['Al', 'N'], true],
  ])('parses %s', (text, elements, others) => {
    expect(parseElementFilter(text)).toEqual({ elements, others });
  });

  it('treats an empty text as no filter', () => {
    expect(parseElementFilter('  ')).toBeUndefined();
  });

  it.each([
    ['only: Xx', /"Xx" is not an element/],
    ['without: Al', /"without:" is not known/],
    ['only:', /names no element/],
    ['include: *', /names no element/],
    ['only: Al *', /contradicts/],
    ['x'.repeat(600), /600 characters/],
  ])('refuses %s', (text, message) => {
    expect(() => parseElementFilter(text)).toThrow(message);
  });
});
