import { describe, expect, it } from 'vitest';
import { XRAY_SCATTERERS, xrayScatteringCoefficients, xrayScatteringFactor } from './xray-scattering.ts';

describe('xrayScatteringFactor', () => {
  it('covers H to Cf, one row per atomic number', () => {
    expect(XRAY_SCATTERERS.map((symbol) => xrayScatteringCoefficients(symbol)![0])).toEqual(
      Array.from({ length: 98 }, (_, index) => index + 1),
    );
  });

  it('is the number of electrons at s = 0 and falls steadily towards s = 0.8', () => {
    for (const symbol of XRAY_SCATTERERS) {
      const row = xrayScatteringCoefficients(symbol)!;
      expect(xrayScatteringFactor(row, 0)).toBe(row[0]);
      let previous = row[0];
      for (let s = 0.05; s <= 0.8; s += 0.05) {
        const f = xrayScatteringFactor(row, s * s);
        expect(f, `${symbol} at s = ${s}`).toBeLessThan(previous);
        previous = f;
      }
    }
  });

  // An independent fit: the four Gaussians and a constant of International Tables for Crystallography C, table
  // 6.1.1.4, [a1, b1, …, a4, b4, c]. The two parametrisations agree to 2 % of Z up to s = 1.
  it.each([
    ['C', [2.31, 20.8439, 1.02, 10.2075, 1.5886, 0.5687, 0.865, 51.6512, 0.2156]],
    ['O', [3.0485, 13.2771, 2.2868, 5.7011, 1.5463, 0.3239, 0.867, 32.9089, 0.2508]],
    ['Si', [6.2915, 2.4386, 3.0353, 32.3337, 1.9891, 0.6785, 1.541, 81.6937, 1.1407]],
    ['Fe', [11.7695, 4.7611, 7.3573, 0.3072, 3.5222, 15.3535, 2.3045, 76.8805, 1.0369]],
    ['Cu', [13.338, 3.5828, 7.1676, 0.247, 5.6158, 11.3966, 1.6735, 64.8126, 1.191]],
  ])('%s agrees with the table of the International Tables', (symbol, table) => {
    for (let s = 0; s <= 1; s += 0.1) {
      let expected = table[8];
      for (let i = 0; i < 8; i += 2) expected += table[i] * Math.exp(-table[i + 1] * s * s);
      const f = xrayScatteringFactor(xrayScatteringCoefficients(symbol)!, s * s);
      expect(Math.abs(f - expected), `s = ${s}: ${f} and ${expected}`).toBeLessThan(
        0.02 * xrayScatteringCoefficients(symbol)![0],
      );
    }
  });

  it('treats deuterium as hydrogen and knows no einsteinium', () => {
    expect(xrayScatteringCoefficients('D')).toBe(xrayScatteringCoefficients('H'));
    expect(xrayScatteringCoefficients('Es')).toBeUndefined();
    expect(xrayScatteringCoefficients('constructor')).toBeUndefined();
  });
});
