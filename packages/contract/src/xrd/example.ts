/** One small measurement that runs through the examples of all calls: the strong lines of halite. */
import type { MatchResult } from './fields.ts';

const angles = [
  27.1, 27.2, 27.3, 27.4, 27.5, 27.6, 31.4, 31.5, 31.6, 31.7, 31.8, 31.9, 45.2, 45.3, 45.4, 45.5, 45.6, 45.7,
  53.7, 53.8, 53.9, 54.0,
];
const counts = [3, 12, 68, 71, 13, 2, 18, 101, 612, 830, 122, 21, 9, 60, 388, 402, 66, 8, 4, 19, 18, 3];

/** Four significant digits. */
const round = (value: number): number => Number(value.toPrecision(4));

export const exampleData = { x: angles, y: counts, name: 'pristine' as const, background_removed: true };

export const exampleNormalised = {
  ...exampleData,
  y: counts.map((count) => round(count / 8.3)),
  name: 'normlized' as const,
};

const peaks = [
  { two_theta: 27.35, d: 3.2609, intensity: 8.9 },
  { two_theta: 31.69, d: 2.8236, intensity: 100 },
  { two_theta: 45.45, d: 1.9955, intensity: 55.1 },
];

export const exampleMatch: MatchResult = {
  error: 'false',
  message: '',
  results: [[0.2134, 22862, 'NaCl', 'Fm-3m', 2, 0]],
  crystal_size: 61.2,
  radiation: 'CuKα',
  wavelength: 1.54184,
  hits: [
    { struct_id: 22862, strain: -0.008, matched_share: 1, confidence: 'confident', unexplained_peaks: [] },
  ],
  confidence: 'confident',
  statement: 'NaCl (Fm-3m, id 22862) explains 100 % of the measured peaks.',
  peaks,
  warnings: [],
  candidates: 154_919,
  seconds: 1.4,
  waited_seconds: 0,
};
