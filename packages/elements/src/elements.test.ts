import { describe, expect, it } from 'vitest';
import {
  anomalousScattering,
  ATOMIC_MASS_KG,
  AVOGADRO_PER_MOL,
  BOHR_RADIUS_ANGSTROM,
  BOLTZMANN_EV_PER_K,
  CATEGORY_COLORS,
  elementBySymbol,
  ELEMENTS,
  FARADAY_C_PER_MOL,
  findElement,
  GPA_PER_EV_PER_CUBIC_ANGSTROM,
  GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM,
  HARTREE_EV,
  hasAnomalousScattering,
  isElementSymbol,
  isRadioactive,
  KJ_PER_MOL_PER_EV,
  MAX_SCATTERING_S,
  MOTT_BETHE_PER_ANGSTROM,
  preciseScatteringCoefficients,
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

  it('is the number of electrons at s = 0, and falls monotonically up to s = 0.8', () => {
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

  // An independent fit with four Gaussians and a constant: International Tables for Crystallography C, table 6.1.1.4,
  // [a1, b1, …, a4, b4, c]. The two parametrisations agree to 2 % of Z up to s = 1.
  it.each([
    ['C', [2.31, 20.8439, 1.02, 10.2075, 1.5886, 0.5687, 0.865, 51.6512, 0.2156]],
    ['O', [3.0485, 13.2771, 2.2868, 5.7011, 1.5463, 0.3239, 0.867, 32.9089, 0.2508]],
    ['Si', [6.2915, 2.4386, 3.0353, 32.3337, 1.9891, 0.6785, 1.541, 81.6937, 1.1407]],
    ['Fe', [11.7695, 4.7611, 7.3573, 0.3072, 3.5222, 15.3535, 2.3045, 76.8805, 1.0369]],
    ['Sn', [19.1889, 5.8303, 19.1005, 0.5031, 4.4585, 26.8909, 2.4663, 83.9571, 4.7821]],
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

  it('uses the row of hydrogen for deuterium, and has no row for einsteinium', () => {
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

  it('atomic masses rise with the atomic number, except for the known inversions', () => {
    const falling = ELEMENTS.filter(
      ({ atomicMass }, index) => index > 0 && atomicMass < ELEMENTS[index - 1].atomicMass,
    );
    // Ar-K, Co-Ni, Te-I, Th-Pa and U-Np are inversions of natural masses; the other inversions arise because
    // the mass of the longest-lived isotope is listed.
    expect(falling.map(({ symbol }) => symbol)).toEqual(['K', 'Ni', 'I', 'Pa', 'Np', 'Am', 'Hs']);
  });

  it('findElement matches only the exact case of a symbol', () => {
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

// Tests trends of the periodic table in the tabulated values, and laws of the scattering factors.

const radius = (symbol: string): number => elementBySymbol(symbol).covalentRadius ?? Number.NaN;
const isFalling = (values: readonly number[]): boolean =>
  values.every((x, i) => i === 0 || x < values[i - 1]);

describe('the periodic table', () => {
  // IUPAC periodic table of 4 May 2022.
  it.each([
    [1, 'H Li Na K Rb Cs Fr'],
    [2, 'Be Mg Ca Sr Ba Ra'],
    [4, 'Ti Zr Hf Rf'],
    [11, 'Cu Ag Au Rg'],
    [14, 'C Si Ge Sn Pb Fl'],
    [16, 'O S Se Te Po Lv'],
    [17, 'F Cl Br I At Ts'],
    [18, 'He Ne Ar Kr Xe Rn Og'],
  ])('group %i is %s', (group, symbols) => {
    const members = ELEMENTS.filter((element) => element.group === group);
    expect(members.map(({ symbol }) => symbol).join(' ')).toBe(symbols);
    members.slice(1).forEach(({ period }, i) => expect(period).toBe(members[i].period + 1));
  });

  it('periods have 2, 8, 8, 18, 18, 32 and 32 elements', () => {
    const counts = [1, 2, 3, 4, 5, 6, 7].map((n) => ELEMENTS.filter(({ period }) => period === n).length);
    expect(counts).toEqual([2, 8, 8, 18, 18, 32, 32]);
  });

  it('covalent radii decrease through the lanthanides and increase down the groups (Cordero 2008)', () => {
    const lanthanides = ELEMENTS.filter(({ category }) => category === 'lanthanide');
    expect(lanthanides).toHaveLength(15);
    expect(radius('La') - radius('Lu')).toBeGreaterThan(0.15);
    for (const group of [
      ['Na', 'Li'],
      ['Cs', 'Rb', 'K', 'Na'],
      ['I', 'Br', 'Cl', 'F'],
      ['Te', 'Se', 'S', 'O'],
    ])
      expect(isFalling(group.map(radius))).toBe(true);
    expect(isFalling(['Li', 'Be', 'B', 'C', 'N', 'O', 'F'].map(radius))).toBe(true);
  });

  it('fluorine is the most electronegative, caesium and francium the least (Pauling)', () => {
    const known = ELEMENTS.filter(({ electronegativity }) => electronegativity !== null).toSorted(
      (a, b) => (b.electronegativity ?? 0) - (a.electronegativity ?? 0),
    );
    expect(known.slice(0, 2).map(({ symbol }) => symbol)).toEqual(['F', 'O']);
    expect(['Cs', 'Fr']).toContain(known.at(-1)?.symbol);
    const halogens = ['I', 'Br', 'Cl', 'F'].map(
      (symbol) => -(elementBySymbol(symbol).electronegativity ?? 0),
    );
    expect(isFalling(halogens)).toBe(true);
  });

  it('every symbol is one capital letter and at most one small letter, and findElement finds it', () => {
    for (const element of ELEMENTS) {
      expect(element.symbol).toMatch(/^[A-Z][a-z]?$/);
      expect(findElement(element.symbol)).toBe(element);
      expect(findElement(element.symbol.toLowerCase())).toBeUndefined();
    }
  });

  it('atomic masses are between Z and 2.7 Z u, except for hydrogen', () => {
    const outside = ELEMENTS.filter(
      ({ number, atomicMass }) => atomicMass < 1.98 * number || atomicMass > 2.7 * number,
    );
    expect(outside.map(({ symbol }) => symbol)).toEqual(['H']);
  });
});

describe('scattering factors', () => {
  it('f starts at Z with the Mott–Bethe slope: f = Z − 41.78 s² Σ aᵢ', () => {
    for (const symbol of XRAY_SCATTERERS) {
      const row = xrayScatteringCoefficients(symbol) ?? [];
      const amplitudes = row.filter((_, i) => i % 2 === 1).reduce((sum, a) => sum + a, 0);
      const s2 = 1e-8;
      expect(row[0]).toBe(elementBySymbol(symbol).number);
      expect(
        (row[0] - xrayScatteringFactor(row, s2)) / (MOTT_BETHE_PER_ANGSTROM * s2 * amplitudes),
      ).toBeCloseTo(1, 3);
    }
  });

  it('f stays between 0 and Z over the fitted range, except for H and Li, where the fits fail', () => {
    const missed = XRAY_SCATTERERS.filter((symbol) => {
      const row = xrayScatteringCoefficients(symbol) ?? [];
      const steps = Array.from({ length: 74 }, (_, i) => 0.02 * (i + 1));
      return !steps.every((s) => {
        const f = xrayScatteringFactor(row, s * s);
        return f > 0 && f < row[0] && s <= MAX_SCATTERING_S;
      });
    });
    expect(missed).toEqual(['H', 'Li']);
  });

  // Hubbell et al., J. Phys. Chem. Ref. Data 4, 471 (1975), as FF_Rayl of xraylib 4.3.0: not relativistic, so at most 1.1 % lower.
  it.each([
    ['O', 0.4, 3.003],
    ['Si', 0.5, 6.232],
    ['Y', 0.55, 19.197],
    ['Te', 0.6, 24.028],
    ['La', 0.6, 27.01],
    ['Gd', 0.5, 35.31],
    ['Ta', 0.25, 57.971],
    ['Ta', 0.5, 42.731],
    ['Pt', 0.5, 45.893],
    ['At', 0.5, 50.553],
  ])(
    'the precise factor of %s at s = %f agrees with an independent calculation within 1.1 %%',
    (element, s, f) => {
      const row = preciseScatteringCoefficients(element) ?? [];
      expect(Math.abs(xrayScatteringFactor(row, s * s) / f - 1.005)).toBeLessThan(0.006);
    },
  );

  it('the precise factors are f(0) = Z within 0.05 electrons, and fall up to s = 1.5', () => {
    for (const symbol of XRAY_SCATTERERS) {
      const row = preciseScatteringCoefficients(symbol) ?? [];
      const f = Array.from({ length: 76 }, (_, i) => xrayScatteringFactor(row, (0.02 * i) ** 2));
      expect(Math.abs((f[0] ?? 0) - elementBySymbol(symbol).number)).toBeLessThan(0.05);
      expect(f.every((value, i) => i === 0 || value < (f[i - 1] ?? 0))).toBe(true);
    }
  });

  it('hydrogen follows its 1s orbital, (1 + (2π a₀ s)²)⁻², to 0.03 electrons up to s = 0.8', () => {
    const row = xrayScatteringCoefficients('H') ?? [];
    for (let s = 0; s <= 0.8; s += 0.05) {
      const exact = (1 + (2 * Math.PI * BOHR_RADIUS_ANGSTROM * s) ** 2) ** -2;
      expect(Math.abs(xrayScatteringFactor(row, s * s) - exact)).toBeLessThan(0.03);
    }
  });
});

describe('units', () => {
  it('a mole of atomic mass units is a gram, a hartree 2625.5 kJ/mol, and e²/4πε₀ is 14.39964 eV Å', () => {
    expect(ATOMIC_MASS_KG * AVOGADRO_PER_MOL * 1000).toBeCloseTo(1, 8);
    expect(HARTREE_EV * KJ_PER_MOL_PER_EV).toBeCloseTo(2625.4996, 3);
    expect(HARTREE_EV * BOHR_RADIUS_ANGSTROM).toBeCloseTo(14.39964548, 7);
  });

  it('copper: four atoms of 63.546 u in 3.6149³ Å³ weigh 8.935 g/cm³', () => {
    const density =
      (4 * elementBySymbol('Cu').atomicMass * GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM) / 3.6149 ** 3;
    expect(density).toBeCloseTo(8.935, 2);
  });
});

describe('anomalousScattering', () => {
  // Cromer and Liberman's values in International Tables for Crystallography C, table 4.2.6.8: an independent
  // calculation, which differs by less than 0.15 electrons if no absorption edge is near.
  it.each([
    ['O', 1.5418, 0.0492, 0.0322],
    ['Al', 1.5418, 0.213, 0.2455],
    ['Ca', 1.5418, 0.3641, 1.2855],
    ['Zn', 1.5418, -1.612, 0.678],
    ['Zn', 0.7107, 0.2839, 1.4301],
    ['Pb', 1.5418, -4.0753, 8.506],
  ])('of %s at %s Å agrees with an independent table', (element, wavelength, real, imaginary) => {
    const found = anomalousScattering(element, wavelength)!;
    expect(Math.abs(found.real - real)).toBeLessThan(0.25);
    expect(found.imaginary / imaginary).toBeCloseTo(1, 1);
  });

  it('contains Kα1 and Kα2, and no wavelengths between the lines of tubes', () => {
    expect(anomalousScattering('Fe', 1.54056)).toEqual(anomalousScattering('Fe', 1.54439));
    expect(hasAnomalousScattering(1.2)).toBe(false);
    expect(anomalousScattering('Fe', 1.2)).toBeUndefined();
    expect(anomalousScattering('Pu', 1.54184)).toBeUndefined();
    expect(anomalousScattering('D', 1.54184)).toEqual(anomalousScattering('H', 1.54184));
  });
});

describe('isRadioactive', () => {
  it('is true for technetium, promethium and all elements from polonium on, but not for bismuth', () => {
    const stable = ELEMENTS.filter(({ symbol }) => !isRadioactive(symbol));
    expect(stable).toHaveLength(81);
    expect(stable.at(-1)?.symbol).toBe('Bi');
    expect(isRadioactive('Tc') && isRadioactive('Pm') && isRadioactive('U')).toBe(true);
  });
});
