/** One small measurement that runs through the examples of all calls: the strong lines of halite. */
import type { MatchResult } from './fields.ts';

const angles = [
  27.1, 27.2, 27.3, 27.4, 27.5, 27.6, 31.4, 31.5, 31.6, 31.7, 31.8, 31.9, 45.2, 45.3, 45.4, 45.5, 45.6, 45.7,
  53.7, 53.8, 53.9, 54.0,
];
const counts = [3, 12, 68, 71, 13, 2, 18, 101, 612, 830, 122, 21, 9, 60, 388, 402, 66, 8, 4, 19, 18, 3];

/** Four significant digits. */
const round = (value: number): number => Number(value.toPrecision(4));

const exampleData = { x: angles, y: counts, name: 'pristine' as const, background_removed: true };

const exampleNormalised = {
  ...exampleData,
  y: counts.map((count) => round(count / 8.3)),
  name: 'normlized' as const,
};

const peaks = [
  { two_theta: 27.35, d: 3.2609, intensity: 8.7, height: 8.6, fwhm: 0.17 },
  { two_theta: 31.69, d: 2.8236, intensity: 100, height: 100, fwhm: 0.18 },
  { two_theta: 45.45, d: 1.9955, intensity: 55.1, height: 48.4, fwhm: 0.19 },
];

const exampleMatch: MatchResult = {
  error: 'false',
  message: '',
  results: [[0.2134, 22862, 'NaCl', 'Fm-3m', 2, 0]],
  functional: 'PBE (MP 2018)',
  crystal_size: 61.2,
  radiation: 'CuKα',
  wavelength: 1.54184,
  hits: [
    {
      struct_id: 22862,
      strain: -0.008,
      explained_share: 1,
      confirmed_share: 0.98,
      confidence: 'confident',
      unexplained_peaks: [],
      rivals: [],
    },
  ],
  named: 22862,
  confidence: 'confident',
  statement: 'NaCl (Fm-3m, id 22862) explains 100 % of the measured intensity.',
  peaks,
  warnings: [],
  candidates: 154_919,
  seconds: 1.4,
  waited_seconds: 0,
};

const EXAMPLE_ID = '8f14e45f-ceea-467f';

export const examples = {
  xrdReceive: {
    response: {
      error: 'false',
      message: '',
      ...exampleData,
      background_removed: false,
      file_name: 'halite.txt',
      warnings: ['2 header or comment lines were skipped.'],
    },
  },
  xrdNorData: {
    request: { xrd_data: exampleData },
    response: { error: 'false', message: '', ...exampleNormalised },
  },
  xrdRemoveBg: {
    request: { xrd_data: { ...exampleData, background_removed: false }, isNormalize: true },
    response: {
      error: 'false',
      message: '',
      ...exampleNormalised,
      background: exampleData.x.map(() => 4),
    },
  },
  xrdMatch: {
    request: {
      xrd_data: exampleData,
      elements: 'only: Na Cl',
      radiation: 'CuKa',
      match_way: 'DTW',
      match_id: EXAMPLE_ID,
    },
    response: exampleMatch,
  },
  xrdExplain: {
    request: {
      xrd_data: exampleData,
      radiation: 'CuKa',
      match_way: 'DTW',
      phases: [{ struct_id: 22862, strain: -0.008 }],
    },
    response: {
      ...exampleMatch,
      results: [],
      hits: [],
      peaks: [],
      named: null,
      confidence: 'none',
      statement: 'Nothing is left to match: the phases explain 100 % of the measured intensity.',
      rest: { ...exampleData, y: exampleData.x.map(() => 0) },
      explained_share: 1,
    },
  },
  xrdProgress: {
    request: { match_id: EXAMPLE_ID },
    response: {
      error: 'false',
      message: '62 % of the materials are compared.',
      state: 'running',
      position: 0,
      progress: 0.62,
    },
  },
  xrdCancel: {
    request: { match_id: EXAMPLE_ID },
    response: { error: 'false', message: 'The match was cancelled.', cancelled: true },
  },
  xrdGet: {
    request: { struct_id: 22862, crystal_size: 61.2, radiation: 'CuKa', strain: -0.008 },
    response: {
      error: 'false',
      message: '',
      x: [31.66, 31.68, 31.7],
      y: [61.2, 98.4, 100],
      data: [{ name: 'NaCl', x: [31.6927], y: [100], text: ['(2 0 0) ×6, d = 2.8234 Å'] }],
      wavelength: 1.54184,
      crystal_size: 61.2,
      struct_id: 22862,
      formula: 'NaCl',
      space_group: 'Fm-3m',
      radiation: 'CuKα',
      strain: -0.008,
    },
  },
} as const;
