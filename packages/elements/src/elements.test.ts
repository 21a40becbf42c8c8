import { describe, expect, it } from 'vitest';
import {
  BOLTZMANN_EV_PER_K,
  CATEGORY_COLORS,
  elementBySymbol,
  ELEMENTS,
  FARADAY_C_PER_MOL,
  GPA_PER_EV_PER_CUBIC_ANGSTROM,
  isElementSymbol,
  XRAY_SCATTERERS,
  xrayScatteringCoefficients,
  xrayScatteringFactor,
} from './index.ts';

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

  it('uses the hydrogen row for deuterium and has no row for einsteinium', () => {
    expect(xrayScatteringCoefficients('D')).toBe(xrayScatteringCoefficients('H'));
    expect(xrayScatteringCoefficients('Es')).toBeUndefined();
    expect(xrayScatteringCoefficients('constructor')).toBeUndefined();
  });
});

describe('ELEMENTS', () => {
  it('has 118 elements with unique symbols and names in both languages', () => {
    expect(ELEMENTS.length).toBe(118);
    for (const key of ['symbol', 'nameEn', 'nameZh'] as const)
      expect(new Set(ELEMENTS.map((element) => element[key])).size).toBe(118);
    expect(ELEMENTS.every(({ number }, index) => number === index + 1)).toBe(true);
  });

  it.each([
    ['H', 1, 1, 1, 'nonmetal'],
    ['He', 2, 18, 1, 'noble-gas'],
    ['Li', 3, 1, 2, 'alkali-metal'],
    ['B', 5, 13, 2, 'metalloid'],
    ['Mg', 12, 2, 3, 'alkaline-earth-metal'],
    ['Fe', 26, 8, 4, 'transition-metal'],
    ['Zn', 30, 12, 4, 'transition-metal'],
    ['Br', 35, 17, 4, 'halogen'],
    ['La', 57, null, 6, 'lanthanide'],
    ['Lu', 71, null, 6, 'lanthanide'],
    ['Hf', 72, 4, 6, 'transition-metal'],
    ['Pb', 82, 14, 6, 'post-transition-metal'],
    ['U', 92, null, 7, 'actinide'],
    ['Rf', 104, 4, 7, 'transition-metal'],
    ['Og', 118, 18, 7, 'noble-gas'],
  ])('%s is number %i in group %s of period %i', (symbol, number, group, period, category) => {
    expect(elementBySymbol(symbol)).toMatchObject({ number, group, period, category });
  });

  it('masses rise with the atomic number except for the known inversions', () => {
    const falling = ELEMENTS.filter(
      ({ atomicMass }, index) => index > 0 && atomicMass < ELEMENTS[index - 1].atomicMass,
    );
    // Ar-K, Co-Ni, Te-I, Th-Pa and U-Np are physical inversions; the others depend on which isotope lives
    // longest.
    expect(falling.map(({ symbol }) => symbol)).toEqual(['K', 'Ni', 'I', 'Pa', 'Np', 'Am', 'Hs']);
  });

  it('findElement matches the exact case of a symbol only', () => {
    expect(isElementSymbol('Co')).toBe(true);
    expect(isElementSymbol('CO')).toBe(false);
    expect(isElementSymbol('constructor')).toBe(false);
    expect(() => elementBySymbol('D')).toThrow(/"D" is no element/);
  });

  it('black text has a contrast of at least 7 on every category colour', () => {
    const channel = (hex: string): number => {
      const value = Number.parseInt(hex, 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    for (const color of Object.values(CATEGORY_COLORS)) {
      const [red, green, blue] = [1, 3, 5].map((at) => channel(color.slice(at, at + 2)));
      expect((0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) / 0.05).toBeGreaterThan(7);
    }
    for (const { viewerColor } of ELEMENTS) expect(viewerColor).toMatch(/^#[0-9a-f]{6}$/);
  });
});

describe('constants', () => {
  it('match the derived values that CODATA 2022 prints', () => {
    expect(BOLTZMANN_EV_PER_K).toBeCloseTo(8.617333262e-5, 14);
    expect(FARADAY_C_PER_MOL).toBeCloseTo(96485.33212, 5);
    expect(GPA_PER_EV_PER_CUBIC_ANGSTROM).toBeCloseTo(160.2176634, 7);
  });
});
