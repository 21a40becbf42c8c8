import { describe, expect, it } from 'vitest';
import { BOLTZMANN_EV_PER_K, FARADAY_C_PER_MOL, GPA_PER_EV_PER_CUBIC_ANGSTROM } from './constants.ts';
import { CATEGORY_COLORS, elementBySymbol, ELEMENTS, isElementSymbol } from './elements.ts';

describe('ELEMENTS', () => {
  it('are 118 with unique symbols and names in both languages', () => {
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

  it('have masses that rise with the number but for the known exceptions', () => {
    const falling = ELEMENTS.filter(
      ({ atomicMass }, index) => index > 0 && atomicMass < ELEMENTS[index - 1].atomicMass,
    );
    // Ar-K, Co-Ni, Te-I, Th-Pa and U-Np are physical; the others follow from which isotope lives longest.
    expect(falling.map(({ symbol }) => symbol)).toEqual(['K', 'Ni', 'I', 'Pa', 'Np', 'Am', 'Hs']);
  });

  it('know symbols by exact case', () => {
    expect(isElementSymbol('Co')).toBe(true);
    expect(isElementSymbol('CO')).toBe(false);
    expect(isElementSymbol('constructor')).toBe(false);
    expect(() => elementBySymbol('D')).toThrow(/"D" is no element/);
  });

  it('have readable tiles: black text on every category colour has a contrast of at least 7', () => {
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
  it('agree with the derived values CODATA 2022 prints', () => {
    expect(BOLTZMANN_EV_PER_K).toBeCloseTo(8.617333262e-5, 14);
    expect(FARADAY_C_PER_MOL).toBeCloseTo(96485.33212, 5);
    expect(GPA_PER_EV_PER_CUBIC_ANGSTROM).toBeCloseTo(160.2176634, 7);
  });
});
