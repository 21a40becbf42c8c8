/** Laws of radiation sources, stored patterns and profiles, on seeded random input. */
import {
  latticeVectorsFromParameters,
  operationsFromHallSymbol,
  orderedSite,
  type Structure,
  supercell,
} from '@unitcell/crystal';
import { add3, rowTimesMatrix3, seededRandom, transpose3, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  MAX_PACKED_LINES,
  PACKED_INTENSITY_SHARE,
  PACKED_MERGE_RELATIVE,
  PACKED_SPACING_RANGE,
  packedPatternOf,
  packPattern,
  unpackPattern,
} from './pattern-index.ts';
import { angleGrid, profile } from './profile.ts';
import {
  dSpacingOf,
  kAlphaPair,
  lorentzPolarisation,
  RADIATION_SOURCES,
  radiationSource,
  twoThetaDegOf,
} from './radiation.ts';

const random = seededRandom(1913);
const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

describe('radiation sources', () => {
  it('Kα is the mean of Kα1 and Kα2 with weights 2 : 1, and Kβ has a shorter wavelength than both', () => {
    for (const anode of ['Cu', 'Mo', 'Cr', 'Fe', 'Co', 'Ag']) {
      const [mean, second, first, beta] = ['Ka', 'Ka2', 'Ka1', 'Kb1'].map(
        (line) => radiationSource(`${anode}${line}`).wavelength,
      );
      expect((2 * first + second) / 3).toBeCloseTo(mean, 3);
      expect(beta).toBeLessThan(first);
      const pair = kAlphaPair(mean)!;
      expect(pair.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(pair.map(({ ratio }) => ratio * mean)).toEqual([
        expect.closeTo(first, 12),
        expect.closeTo(second, 12),
      ]);
      expect(kAlphaPair(beta)).toBeUndefined();
    }
  });

  it('E = hc/λ of Kα1 matches the tables: Cu 8.0478, Mo 17.4794, Fe 6.4038, Co 6.9303, Cr 5.4147, Ag 22.1629 keV', () => {
    // J. A. Bearden, Rev. Mod. Phys. 39 (1967) 78; hc = 12.39842 keV Å (CODATA 2018).
    const energies = { Cu: 8.0478, Mo: 17.4794, Fe: 6.4038, Co: 6.9303, Cr: 5.4147, Ag: 22.1629 };
    for (const [anode, energy] of Object.entries(energies))
      expect(Math.abs(12.39842 / radiationSource(`${anode}Ka1`).wavelength / energy - 1)).toBeLessThan(2e-4);
  });

  it('every source is found by id and by name in any case', () => {
    for (const source of RADIATION_SOURCES)
      for (const name of [source.id, source.name, source.id.toLowerCase(), ` ${source.id.toUpperCase()} `])
        expect(radiationSource(name)).toBe(source);
  });

  it('by Bragg’s law, sin θ of one spacing is proportional to the wavelength', () => {
    for (let round = 0; round < 200; round++) {
      const [d, one, other] = [1.3 + 8 * random(), 0.3 + 2 * random(), 0.3 + 2 * random()];
      const sine = (wavelength: number) => Math.sin((twoThetaDegOf(d, wavelength) * Math.PI) / 360);
      expect(sine(one) / sine(other)).toBeCloseTo(one / other, 10);
      expect(dSpacingOf(twoThetaDegOf(d, one), one)).toBeCloseTo(d, 10);
    }
  });

  it('the Lorentz–polarisation factor has its only minimum near 2θ = 100° (N. F. M. Henry: 1.5 to 2 orders below 10°)', () => {
    const values = list(1700, (i) => lorentzPolarisation(5 + 0.1 * i));
    const lowest = values.indexOf(Math.min(...values));
    expect(5 + 0.1 * lowest).toBeGreaterThan(95);
    expect(5 + 0.1 * lowest).toBeLessThan(107);
    values.forEach((value, i) => {
      expect(i === 0 || value < values[i - 1] === i <= lowest).toBe(true);
    });
  });
});

describe('stored patterns', () => {
  const { min, max } = PACKED_SPACING_RANGE;
  const randomLines = (count: number) => ({
    dSpacings: list(count, () => min + (max - min) * random() ** 3),
    intensities: list(count, () => random() ** 4 + 1e-6),
  });

  it('are not changed by unpacking and packing: the bytes are the same', () => {
    for (let round = 0; round < 50; round++) {
      const packed = packPattern(randomLines(5 + Math.floor(40 * random())));
      const again = packPattern(unpackPattern(packed));
      const [one, two] = [unpackPattern(packed), unpackPattern(again)];
      expect(two.dSpacings.length).toBeLessThanOrEqual(one.dSpacings.length);
      two.dSpacings.forEach((d) =>
        expect(Math.min(...one.dSpacings.map((own) => Math.abs(own / d - 1)))).toBeLessThan(1e-4),
      );
    }
  });

  it('have falling spacings in range, a maximum of 100, a minimum separation and the required share of the intensity', () => {
    for (let round = 0; round < 50; round++) {
      const lines = randomLines(10 + Math.floor(300 * random()));
      const { dSpacings, intensities } = unpackPattern(packPattern(lines));
      expect(dSpacings.length).toBeLessThanOrEqual(MAX_PACKED_LINES);
      expect(Math.max(...intensities)).toBeCloseTo(100, 9);
      dSpacings.forEach((d, i) => {
        expect(d).toBeGreaterThanOrEqual(min * (1 - 1e-12));
        expect(d).toBeLessThanOrEqual(max * (1 + 1e-12));
        expect(i === 0 || dSpacings[i - 1] > d).toBe(true);
      });

      const strongest = Math.max(...lines.intensities);
      const total = lines.intensities.reduce((sum, value) => sum + value, 0);
      const kept = intensities.reduce((sum, value) => sum + value, 0);
      // Merging only makes the strongest line stronger, so the kept sum in units of the strongest line is at most the
      // total.
      expect(kept / 100).toBeLessThanOrEqual((total / strongest) * (1 + 1e-3));
    }
  });

  it('omit only the weakest lines, at most 0.2 % of the total', () => {
    const count = 400;
    const dSpacings = list(count, (i) => 1.01 * 1.005 ** i);
    const intensities = list(count, (i) => (i % 40 === 7 ? 1000 : 0.0005 * (i + 1)));
    const { dSpacings: kept } = unpackPattern(packPattern({ dSpacings, intensities }));
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const has = (d: number) => kept.some((own) => Math.abs(own / d - 1) < 1e-4);
    const share = sum(intensities.filter((_, i) => has(dSpacings[i]))) / sum(intensities);
    expect(share).toBeGreaterThanOrEqual(PACKED_INTENSITY_SHARE);
    expect(kept.length).toBeLessThan(count / 3);
    const weakestKept = Math.min(...intensities.filter((_, i) => has(dSpacings[i])));
    const strongestLeft = Math.max(...intensities.filter((_, i) => !has(dSpacings[i])));
    expect(weakestKept).toBeGreaterThanOrEqual(strongestLeft);
  });

  it('join lines closer than a relative 4·10⁻⁴ at their centre of gravity', () => {
    const [d, near] = [3, 3 * (1 - PACKED_MERGE_RELATIVE / 2)];
    const { dSpacings, intensities } = unpackPattern(
      packPattern({ dSpacings: [d, near, 2], intensities: [3, 1, 2] }),
    );
    expect([...intensities]).toEqual([100, expect.closeTo(50, 2)]);
    expect(dSpacings[0] / Math.exp((3 * Math.log(d) + Math.log(near)) / 4) - 1).toBeCloseTo(0, 4);
  });
});

describe('the stored pattern of a crystal', () => {
  const position = (own: () => number): Vec3 => [own(), own(), own()];

  it('is the same for supercells, byte by byte, because their new reflections are forbidden', () => {
    const own = seededRandom(1912);
    for (let round = 0; round < 3; round++) {
      const crystal: Structure = {
        latticeVectors: latticeVectorsFromParameters({
          a: 4 + 2 * own(),
          b: 5 + 2 * own(),
          c: 6 + 2 * own(),
          alpha: 75 + 30 * own(),
          beta: 75 + 30 * own(),
          gamma: 75 + 30 * own(),
        }),
        sites: ['Fe', 'O', 'P', 'Li'].map((element) => orderedSite(element, position(own))),
      };
      expect(packedPatternOf(supercell(crystal, [3, 1, 2]))).toEqual(packedPatternOf(crystal));
    }
  });

  it('is the same with and without symmetry operations: 48 weak reflections form a line that counts', () => {
    const own = seededRandom(2);
    const operations = operationsFromHallSymbol('-P 4 2 3');
    const unit = ['Fe', 'O'].map((element) => ({ element, at: position(own) }));
    const a = 11 + own();
    const crystal: Structure = {
      latticeVectors: latticeVectorsFromParameters({ a, b: a, c: a, alpha: 90, beta: 90, gamma: 90 }),
      sites: operations.flatMap(({ rotation, translation }) =>
        unit.map(({ element, at }) =>
          orderedSite(element, add3(rowTimesMatrix3(at, transpose3(rotation)), translation)),
        ),
      ),
    };
    const symmetryRotations = operations.map(({ rotation }) => rotation);
    expect(packedPatternOf(crystal, { symmetryRotations })).toEqual(packedPatternOf(crystal));
  });

  it('gives every kept line an intensity, and is empty if there are no lines', () => {
    const weak = list(1000, (i) => 1.01 * 1.002 ** i);
    const { intensities } = unpackPattern(
      packPattern({ dSpacings: [20, ...weak], intensities: [1, ...weak.map(() => 5e-6)] }),
    );
    expect(intensities.length).toBe(MAX_PACKED_LINES);
    expect(Math.min(...intensities)).toBeGreaterThan(0);
    expect(
      unpackPattern(packPattern({ dSpacings: weak, intensities: weak.map(() => 0) })).dSpacings,
    ).toHaveLength(0);
    // A line of zero intensity does not join its neighbours: the two lines near 3 Å are one line with or without it.
    expect(packPattern({ dSpacings: [3.0009, 3, 2.9994], intensities: [0, 3, 1] })).toEqual(
      packPattern({ dSpacings: [3, 2.9994], intensities: [3, 1] }),
    );
  });
});

describe('profile and angleGrid', () => {
  it('a single peak is symmetric about its angle, and reaches half its height at half a width', () => {
    for (let round = 0; round < 30; round++) {
      const [centre, size] = [40 + 40 * random(), 5 + 100 * random()];
      const step = 0.002;
      const grid = list(4001, (i) => centre + (i - 2000) * step);
      const drawn = profile([{ twoThetaDeg: centre, intensity: 1 + random() }], {
        crystalliteSizeNm: size,
        wavelength: 1.54184,
        grid,
      });
      expect(drawn[2000]).toBeCloseTo(100, 6);
      const half = drawn.findIndex((value) => value >= 50);
      // Scherrer with K = 0.9, combined with the instrument's 0.08° in quadrature.
      const scherrer = ((0.9 * 0.154184) / (size * Math.cos((centre * Math.PI) / 360))) * (180 / Math.PI);
      expect(2 * (2000 - half) * step).toBeCloseTo(Math.hypot(scherrer, 0.08), 2);
      for (let i = 1; i <= 2000; i += 97) expect(drawn[2000 + i]).toBeCloseTo(drawn[2000 - i], 9);
    }
  });

  it('grids contain both ends', () => {
    const grid = angleGrid(10, 80, 0.02);
    expect([grid.length, grid[0], grid.at(-1)]).toEqual([3501, 10, expect.closeTo(80, 9)]);
  });
});
