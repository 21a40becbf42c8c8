/** Laws of kinematic diffraction that hold for every crystal, on seeded random structures. */
import {
  cellVolume,
  latticeVectorsFromParameters,
  operationsFromHallSymbol,
  orderedSite,
  type Structure,
} from '@unitcell/crystal';
import {
  MAX_SCATTERING_S,
  preciseScatteringCoefficients,
  XRAY_SCATTERERS,
  xrayScatteringCoefficients,
  xrayScatteringFactor,
} from '@unitcell/elements';
import {
  add3,
  type Mat3,
  multiply3,
  rowTimesMatrix3,
  seededRandom,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { powderPattern } from './powder-pattern.ts';
import { dSpacingOf, lorentzPolarisation, twoThetaDegOf } from './radiation.ts';
import { type Reflections, reflections } from './structure-factors.ts';
import { scatteringTable, tabulatedScatteringFactor } from './scattering-table.ts';
import { listReflections } from './reflection-list.ts';

const coefficientsOf = (element: string): readonly number[] => {
  const found = xrayScatteringCoefficients(element);
  if (!found) throw new Error(`no coefficients of ${element}`);
  return found;
};

describe('tabulatedScatteringFactor', () => {
  it('f(0) is the number of electrons', () => {
    expect(tabulatedScatteringFactor(scatteringTable(coefficientsOf('Si'), 1), 0)).toBe(14);
  });

  it('differs from the formula by at most 1.1e-7 of f(0) in the range of the fits, for every element', () => {
    let worst = 0;
    const rows = [xrayScatteringCoefficients, preciseScatteringCoefficients].flatMap((rowOf) =>
      XRAY_SCATTERERS.map((element) => rowOf(element) ?? []),
    );
    for (const coefficients of rows) {
      const table = scatteringTable(coefficients, MAX_SCATTERING_S);
      for (let s = 0.0007; s < MAX_SCATTERING_S; s += 0.0031) {
        const error = tabulatedScatteringFactor(table, s) - xrayScatteringFactor(coefficients, s * s);
        worst = Math.max(worst, Math.abs(error) / xrayScatteringFactor(coefficients, 0));
      }
    }
    expect(worst).toBeLessThan(1.1e-7);
  });

  it('equals the formula beyond the table, and the table grows on demand', () => {
    const coefficients = [...coefficientsOf('Fe')];
    const table = scatteringTable(coefficients, 0.2);
    expect(tabulatedScatteringFactor(table, 0.9)).toBe(xrayScatteringFactor(coefficients, 0.81));
    expect(scatteringTable(coefficients, 3)).toBe(table);
    expect(tabulatedScatteringFactor(table, 0.9)).toBeCloseTo(xrayScatteringFactor(coefficients, 0.81), 5);
    expect(tabulatedScatteringFactor(table, 2.5)).toBe(xrayScatteringFactor(coefficients, 6.25));
  });
});

const WAVELENGTH = 0.71073;
const RANGE = [0, 45] as const;
const options = { wavelength: WAVELENGTH, twoThetaRangeDeg: RANGE };

const vector = (random: () => number): Vec3 => [random(), random(), random()];

/** A cell with the given angles and with atoms in general positions, copied by the operations of a Hall symbol. */
function crystalOf(hallSymbol: string, seed: number): Structure {
  const random = seededRandom(seed);
  const unit = ['Ni', 'S', 'O'].map((element) => ({ element, position: vector(random) }));
  return {
    latticeVectors: latticeVectorsFromParameters({ a: 6.1, b: 7.3, c: 8.2, alpha: 90, beta: 90, gamma: 90 }),
    sites: operationsFromHallSymbol(hallSymbol).flatMap(({ rotation, translation }) =>
      unit.map(({ element, position }) =>
        orderedSite(element, add3(rowTimesMatrix3(position, transpose3(rotation)), translation)),
      ),
    ),
  };
}

function randomTriclinic(seed: number): Structure {
  const random = seededRandom(seed);
  return {
    latticeVectors: latticeVectorsFromParameters({
      a: 4 + 2 * random(),
      b: 5 + 2 * random(),
      c: 6 + 2 * random(),
      alpha: 75 + 30 * random(),
      beta: 75 + 30 * random(),
      gamma: 75 + 30 * random(),
    }),
    sites: ['Fe', 'O', 'P', 'Li'].map((element) => orderedSite(element, vector(random))),
  };
}

type Index = readonly [number, number, number];
const entries = (found: Reflections) =>
  Array.from({ length: found.count }, (_, i) => ({
    hkl: [found.h[i], found.k[i], found.l[i]] as Index,
    intensity: found.intensity[i],
    inverseDSquared: found.inverseDSquared[i],
    multiplicity: found.multiplicity[i],
  }));

/** |F|² from the definition as one sum over the atoms, without Friedel's law, tables or recurrences. */
function squaredFactor({ sites }: Structure, [h, k, l]: Index, sSquared: number): number {
  let [re, im] = [0, 0];
  for (const { species, fractionalCoords } of sites)
    for (const { element, occupancy } of species) {
      const f = occupancy * xrayScatteringFactor(xrayScatteringCoefficients(element)!, sSquared);
      const phase =
        2 * Math.PI * (h * fractionalCoords[0] + k * fractionalCoords[1] + l * fractionalCoords[2]);
      re += f * Math.cos(phase);
      im += f * Math.sin(phase);
    }
  return re * re + im * im;
}

describe('reflections', () => {
  it.each([11, 12, 13])('equal m |F|² Lp from the definition, atom by atom (seed %i)', (seed) => {
    const structure = randomTriclinic(seed);
    const found = entries(reflections(structure, options));
    expect(found.length).toBeGreaterThan(200);
    const strongest = Math.max(...found.map(({ intensity }) => intensity));
    const worst = Math.max(
      ...found.map(({ hkl, intensity, inverseDSquared, multiplicity }) => {
        const lp = lorentzPolarisation(twoThetaDegOf(1 / Math.sqrt(inverseDSquared), WAVELENGTH));
        const expected = multiplicity * squaredFactor(structure, hkl, inverseDSquared / 4) * lp;
        return Math.abs(intensity - expected) / strongest;
      }),
    );
    expect(worst).toBeLessThan(1e-6);
  });

  it('cover the whole sphere: multiplicities add up to the number of lattice points inside, 4π/3 V g³', () => {
    const structure = randomTriclinic(14);
    const found = entries(reflections(structure, options));
    const total = found.reduce((sum, { multiplicity }) => sum + multiplicity, 0);
    const g = 1 / dSpacingOf(RANGE[1], WAVELENGTH);
    expect(total).toBe(2 * found.length);
    const volume = ((4 * Math.PI) / 3) * cellVolume(structure.latticeVectors) * g ** 3;
    expect(Math.abs(total / volume - 1)).toBeLessThan(0.05);
  });

  // International Tables for Crystallography A (2016), table 1.6.4.2 to 1.6.4.4: reflection conditions.
  it.each<[string, string, (hkl: Index) => boolean]>([
    ['C centring', 'C 1', ([h, k]) => (h + k) % 2 !== 0],
    ['A centring', 'A 1', ([, k, l]) => (k + l) % 2 !== 0],
    ['B centring', 'B 1', ([h, , l]) => (h + l) % 2 !== 0],
    ['I centring', 'I 1', ([h, k, l]) => (h + k + l) % 2 !== 0],
    ['F centring', 'F 1', ([h, k, l]) => (h + k) % 2 !== 0 || (k + l) % 2 !== 0],
    ['R centring, obverse', 'R 1', ([h, k, l]) => (k + l - h) % 3 !== 0],
    ['a screw 2₁ along c', 'P 2c', ([h, k, l]) => h === 0 && k === 0 && l % 2 !== 0],
    ['a screw 2₁ along a', 'P 2xa', ([h, k, l]) => k === 0 && l === 0 && h % 2 !== 0],
    ['a glide a normal to c', 'P -2a', ([h, , l]) => l === 0 && h % 2 !== 0],
    ['a glide b normal to c', 'P -2b', ([, k, l]) => l === 0 && k % 2 !== 0],
    ['a glide n normal to c', 'P -2ab', ([h, k, l]) => l === 0 && (h + k) % 2 !== 0],
    ['a glide c normal to b', 'P -2yc', ([, k, l]) => k === 0 && l % 2 !== 0],
    ['a glide n normal to a', 'P -2xbc', ([h, k, l]) => h === 0 && (k + l) % 2 !== 0],
    [
      'the screws of P2₁2₁2₁',
      'P 2ac 2ab',
      (hkl) => hkl.filter((n) => n === 0).length === 2 && hkl.some((n) => n % 2 !== 0),
    ],
  ])('are extinct for %s exactly as its reflection conditions require', (_, hallSymbol, isAbsent) => {
    const found = entries(reflections(crystalOf(hallSymbol, 5), options));
    const strongest = Math.max(...found.map(({ intensity }) => intensity));
    const absent = found.filter(({ hkl }) => isAbsent(hkl));
    const present = found.filter(({ hkl }) => !isAbsent(hkl));
    expect(absent.length).toBeGreaterThan(2);
    expect(Math.max(...absent.map(({ intensity }) => intensity)) / strongest).toBeLessThan(1e-12);
    expect(Math.min(...present.map(({ intensity }) => intensity)) / strongest).toBeGreaterThan(1e-12);
  });

  it('include 00l only for l = 4n with a screw axis 4₁, and only for l = 3n with 3₁', () => {
    for (const [hallSymbol, order] of [
      ['P 4w', 4],
      ['P 31', 3],
    ] as const) {
      const axial = entries(reflections(crystalOf(hallSymbol, 6), options)).filter(
        ({ hkl: [h, k] }) => h === 0 && k === 0,
      );
      const strongest = Math.max(...axial.map(({ intensity }) => intensity));
      const kept = axial
        .filter(({ intensity }) => intensity > 1e-12 * strongest)
        .map(({ hkl }) => Math.abs(hkl[2]));
      expect(axial.length).toBeGreaterThan(kept.length);
      expect(kept.sort((a, b) => a - b)).toEqual(kept.map((__, n) => order * (n + 1)));
    }
  });

  it('are the same for the mirror image and the inverted crystal (Friedel)', () => {
    const structure = randomTriclinic(21);
    const inverted: Structure = {
      ...structure,
      sites: structure.sites.map((site) => ({
        ...site,
        fractionalCoords: site.fractionalCoords.map((x) => -x) as unknown as Vec3,
      })),
    };
    const [one, two] = [reflections(structure, options), reflections(inverted, options)];
    expect(Array.from(two.h)).toEqual(Array.from(one.h));
    const strongest = Math.max(...one.intensity);
    const worst = Math.max(...one.intensity.map((value, i) => Math.abs(value - two.intensity[i])));
    expect(worst / strongest).toBeLessThan(1e-10);
  });

  it('do not change when the crystal is rotated in space', () => {
    const structure = randomTriclinic(22);
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const about: Mat3 = multiply3(
      [
        [c, s, 0],
        [-s, c, 0],
        [0, 0, 1],
      ],
      [
        [1, 0, 0],
        [0, c, s],
        [0, -s, c],
      ],
    );
    const turned = { ...structure, latticeVectors: multiply3(structure.latticeVectors, about) };
    const [one, two] = [powderPattern(structure), powderPattern(turned)];
    expect(two.peaks.map(({ hkls }) => hkls)).toEqual(one.peaks.map(({ hkls }) => hkls));
    one.peaks.forEach((peak, i) => {
      expect(two.peaks[i].twoThetaDeg).toBeCloseTo(peak.twoThetaDeg, 8);
      expect(two.peaks[i].intensity).toBeCloseTo(peak.intensity, 6);
    });
  });

  it('do not change when a full site is split into two sites of half occupancy', () => {
    const structure = randomTriclinic(23);
    const split: Structure = {
      ...structure,
      sites: structure.sites.flatMap((site) =>
        [0, 1].map(() => ({
          ...site,
          species: site.species.map(({ element }) => ({ element, occupancy: 0.5 })),
        })),
      ),
    };
    const [one, two] = [reflections(structure, options), reflections(split, options)];
    one.intensity.forEach((value, i) => expect(two.intensity[i] / value).toBeCloseTo(1, 8));
  });

  it('give n² |F|² per index of the large cell for n identical stacked cells', () => {
    const structure = randomTriclinic(24);
    const [a, b, c] = structure.latticeVectors;
    const stacked: Structure = {
      latticeVectors: [a, b, [3 * c[0], 3 * c[1], 3 * c[2]]],
      sites: structure.sites.flatMap((site) =>
        [0, 1, 2].map((n) => ({
          ...site,
          fractionalCoords: [
            site.fractionalCoords[0],
            site.fractionalCoords[1],
            (site.fractionalCoords[2] + n) / 3,
          ] as const,
        })),
      ),
    };
    const large = new Map(
      entries(reflections(stacked, options)).map(({ hkl, intensity }) => [hkl.join(), intensity]),
    );
    let compared = 0;
    for (const { hkl, intensity } of entries(reflections(structure, options))) {
      const folded =
        large.get([hkl[0], hkl[1], 3 * hkl[2]].join()) ?? large.get([-hkl[0], -hkl[1], -3 * hkl[2]].join());
      expect(folded).toBeDefined();
      expect(folded! / intensity).toBeCloseTo(9, 6);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(100);
    const strongest = Math.max(...large.values());
    const between = [...large].filter(([key]) => Number(key.split(',')[2]) % 3 !== 0);
    expect(Math.max(...between.map(([, intensity]) => intensity)) / strongest).toBeLessThan(1e-12);
  });
});

describe('angles and wavelengths', () => {
  it('angle and spacing are inverse functions, and a longer wavelength moves lines outwards by Bragg’s law', () => {
    const structure = randomTriclinic(31);
    const short = powderPattern(structure, { wavelength: 0.8, twoThetaRangeDeg: [0, 40] });
    const long = powderPattern(structure, { wavelength: 1.6, twoThetaRangeDeg: [0, 90] });
    const spacings = new Set(long.peaks.map(({ dSpacing }) => dSpacing.toFixed(6)));
    const shared = short.peaks.filter(({ dSpacing }) => spacings.has(dSpacing.toFixed(6)));
    expect(shared.length).toBeGreaterThan(30);
    for (const { dSpacing, twoThetaDeg } of shared) {
      expect(dSpacingOf(twoThetaDeg, 0.8)).toBeCloseTo(dSpacing, 9);
      const outer = long.peaks.find((peak) => Math.abs(peak.dSpacing - dSpacing) < 1e-6);
      const sine = (degrees = Number.NaN): number => Math.sin((degrees * Math.PI) / 360);
      expect(sine(outer?.twoThetaDeg) / sine(twoThetaDeg)).toBeCloseTo(2, 8);
    }
  });

  it('there is no reflection at a spacing below half the wavelength', () => {
    expect(twoThetaDegOf(0.77, 1.54184)).toBeNaN();
    expect(twoThetaDegOf(1.54184 / 2, 1.54184)).toBeCloseTo(180, 9);
  });

  it('the Lorentz–polarisation factor is 2/sin²θ at small angles, 1/(sin²45° cos45°) at 2θ = 90°, and smallest between', () => {
    const theta = (0.01 * Math.PI) / 360;
    expect((lorentzPolarisation(0.01) * Math.sin(theta) ** 2) / 2).toBeCloseTo(1, 6);
    expect(lorentzPolarisation(90)).toBeCloseTo(2 * Math.SQRT2, 12);
    const values = Array.from({ length: 178 }, (_, n) => lorentzPolarisation(n + 1));
    const least = values.indexOf(Math.min(...values));
    expect(
      values.every((value, i) => i === 0 || (i <= least ? value < values[i - 1] : value > values[i - 1])),
    ).toBe(true);
    expect(least + 1).toBeGreaterThan(90);
  });
});

const triclinic = latticeVectorsFromParameters({ a: 5, b: 6, c: 7, alpha: 70, beta: 80, gamma: 100 });

describe('listReflections', () => {
  it('has one of each Friedel pair inside the shell, and never 000', () => {
    const { count, h, k, l, inverseDSquared } = listReflections(triclinic, 0.3, 0.9, []);
    const seen = new Set<string>();
    for (let i = 0; i < count; i++) {
      expect(seen.has(`${-h[i]},${-k[i]},${-l[i]}`)).toBe(false);
      seen.add(`${h[i]},${k[i]},${l[i]}`);
      expect(Math.sqrt(inverseDSquared[i])).toBeGreaterThanOrEqual(0.3);
      expect(Math.sqrt(inverseDSquared[i])).toBeLessThanOrEqual(0.9);
    }
    expect(seen.size).toBe(count);
    expect(seen.has('0,0,0')).toBe(false);
  });

  it('the number of reflections approaches the volume of half of the shell, 2π/3 V (g³max − g³min)', () => {
    const { count } = listReflections(triclinic, 0.5, 2.5, []);
    const volume = 5 * 6 * 7 * Math.sqrt(1 - 0.117 - 0.0302 - 0.0302 + 2 * 0.342 * 0.1736 * -0.1736);
    expect(count / (((2 * Math.PI) / 3) * volume * (2.5 ** 3 - 0.5 ** 3))).toBeCloseTo(1, 1);
  });

  it('rows of equal h and k are contiguous with rising l', () => {
    const { count, h, k, l } = listReflections(triclinic, 0, 1.2, []);
    const starts: string[] = [];
    let falling = 0;
    for (let i = 0; i < count; i++) {
      if (i === 0 || h[i] !== h[i - 1] || k[i] !== k[i - 1]) starts.push(`${h[i]},${k[i]}`);
      else if (l[i] <= l[i - 1]) falling += 1;
    }
    expect(falling).toBe(0);
    expect(new Set(starts).size).toBe(starts.length);
  });

  it('refuses cells with too many indices, and reports the number and a remedy', () => {
    const skewed = [
      [0, 3600, 4],
      [3600, 4, 0],
      [4, 0, 0],
    ] as const;
    expect(() => listReflections(skewed, 0, 3, [])).toThrow(/pairs of the first two.*reduced cell/);
    const needle = [
      [0.1, 0, 0],
      [0, 0.1, 0],
      [0, 0, 30_000],
    ] as const;
    expect(() => listReflections(needle, 0, 2, [])).toThrow(/at most 32767/);
  });
});
