/** Trends of the periodic table that the tabulated values must show, and laws of the scattering factors. */
import { describe, expect, it } from 'vitest';
import {
  ATOMIC_MASS_KG,
  AVOGADRO_PER_MOL,
  BOHR_RADIUS_ANGSTROM,
  elementBySymbol,
  ELEMENTS,
  findElement,
  GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM,
  HARTREE_EV,
  KJ_PER_MOL_PER_EV,
  MAX_SCATTERING_S,
  MOTT_BETHE_PER_ANGSTROM,
  XRAY_SCATTERERS,
  xrayScatteringCoefficients,
  xrayScatteringFactor,
} from './index.ts';

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

  it('covalent radii shrink through the lanthanides and grow down the groups (Cordero 2008)', () => {
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

  it('every symbol is one capital and at most one small letter, and findElement finds it', () => {
    for (const element of ELEMENTS) {
      expect(element.symbol).toMatch(/^[A-Z][a-z]?$/);
      expect(findElement(element.symbol)).toBe(element);
      expect(findElement(element.symbol.toLowerCase())).toBeUndefined();
    }
  });

  it('atomic masses lie between Z and 2.7 Z u, except for hydrogen', () => {
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
