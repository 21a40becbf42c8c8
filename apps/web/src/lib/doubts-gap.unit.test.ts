import { expect, it } from 'vitest';
import { doubtsGap } from './doubts-gap.ts';

const told = (value: number, insulator_probability: number) => ({
  band_gap: { value, low: value - 0.028, high: value + 0.028 },
  insulator_probability,
});

it('a gap that the network tells and doubts has no interval', () => {
  // What the model that ships says of diamond, whose PBE gap is 4.1 eV (Materials Project, mp-66).
  expect(doubtsGap(told(0.476, 0.154))).toBe(true);
});

it('metals, insulators and gaps it is sure of keep theirs', () => {
  for (const [value, chance] of [
    [0.001, 0.02],
    [0.09, 0.49],
    [0.19, 0.82],
    [5.2, 0.998],
  ] as const)
    expect(doubtsGap(told(value, chance))).toBe(false);
});
