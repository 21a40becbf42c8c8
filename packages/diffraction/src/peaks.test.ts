import { describe, expect, it } from 'vitest';
import { findPeaks } from './peaks.ts';

describe('findPeaks', () => {
  // Explaining 2,200 peaks by phases took 4 s of a thread.
  it('keeps only the 500 strongest peaks, in order of angle', () => {
    const x = Array.from({ length: 20_000 }, (_, i) => 5 + (i * 170) / 20_000);
    const heightOf = (peak: number): number => 1000 + 9000 * ((peak * 7919) % 1000);
    const y = x.map((_, i) => (i % 20 === 10 ? heightOf((i - 10) / 20) : 0));
    const peaks = findPeaks(x, y);
    expect(peaks).toHaveLength(500);
    expect(peaks.map((peak) => peak.twoThetaDeg)).toEqual(
      peaks.map((peak) => peak.twoThetaDeg).sort((a, b) => a - b),
    );
    const found = peaks.map((peak) => Math.round((peak.twoThetaDeg - 5) / 0.17 - 0.5));
    expect(found.every((peak) => heightOf(peak) >= 1000 + 9000 * 499)).toBe(true);
  });
});
