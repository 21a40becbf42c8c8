import { findPeaks, readMeasuredPattern, removeBackground } from '@unitcell/diffraction';
import { describe, expect, it } from 'vitest';
import { patternText, samplePattern } from './sample-pattern.ts';

const peaks = [
  { twoThetaDeg: 20.86, intensity: 22 },
  { twoThetaDeg: 26.64, intensity: 100 },
  { twoThetaDeg: 50.14, intensity: 14 },
];

describe('the sample', () => {
  it('reads as a measurement and shows its reflections once the background is gone', () => {
    const { x, y } = readMeasuredPattern(new TextEncoder().encode(patternText(samplePattern(peaks))));
    expect(x).toHaveLength(3501);
    const found = findPeaks(x, removeBackground(x, y)).map(({ twoThetaDeg }) => twoThetaDeg);
    expect(found).toHaveLength(peaks.length);
    for (const [index, { twoThetaDeg }] of peaks.entries())
      expect(Math.abs((found[index] ?? 0) - twoThetaDeg)).toBeLessThan(0.05);
  });

  it('is the same every time', () => {
    expect(samplePattern(peaks)).toEqual(samplePattern(peaks));
  });
});
