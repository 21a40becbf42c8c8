import { describe, expect, it } from 'vitest';
import { patternOfLines } from './read-measured-pattern.ts';

describe('the pattern of a list of spacings', () => {
  it('has its highest point at the Bragg angle of the strongest line', () => {
    const pattern = patternOfLines(
      [
        { d: 3.342, intensity: 100 },
        { d: 4.255, intensity: 22 },
      ],
      1.54184,
    );
    const at = pattern?.y.indexOf(Math.max(...pattern.y)) ?? 0;
    // 2 arcsin(1.54184 / 6.684)
    expect(pattern?.x[at]).toBeCloseTo(26.67, 1);
  });

  it('is null if no line is visible at the wavelength', () => {
    expect(patternOfLines([{ d: 0.5, intensity: 1 }], 1.54184)).toBeNull();
  });
});
