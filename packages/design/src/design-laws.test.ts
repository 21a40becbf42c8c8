/** Laws of charges, volumes, sets and sites that hold for all elements. */
import { cellVolume, type Composition, orderedSite, type Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { ionsOf, neutralCharges } from './charges.ts';
import { chemicalSystems, permutations, substitute, volumeRatio } from './propose.ts';

const random = seededRandom(2018);
const SYMBOLS =
  'Li Na Mg Al Si P S Cl K Ca Ti Mn Fe Cu Zn Ga As Se Br Sr Y Zr Ag In Sn Te I Ba La O F N'.split(' ');
function randomComposition(): Composition {
  const amounts = Array.from({ length: 2 + Math.floor(3 * random()) }, () => [
    SYMBOLS[Math.floor(random() * SYMBOLS.length)],
    1 + Math.floor(4 * random()),
  ]);
  return Object.fromEntries(amounts) as Composition;
}
const times = (composition: Composition, factor: number): Composition =>
  Object.fromEntries(Object.entries(composition).map(([element, amount]) => [element, factor * amount]));

describe('neutralCharges', () => {
  it('returns tabulated charges that add up to zero and are negative for the more electronegative elements', () => {
    let neutral = 0;
    for (let round = 0; round < 400; round++) {
      const composition = randomComposition();
      const charges = neutralCharges(composition);
      if (!charges) continue;
      neutral++;
      const ions = Object.entries(charges);
      expect(ions.reduce((sum, [element, { charge }]) => sum + charge * composition[element], 0)).toBeCloseTo(
        0,
        9,
      );
      for (const [element, ion] of ions) expect(ionsOf(element)).toContain(ion);
      const chi = (isAnion: boolean): number[] =>
        ions
          .filter(([, { charge }]) => charge < 0 === isAnion)
          .map(([element]) => elementBySymbol(element).electronegativity ?? 0);
      expect(Math.min(...chi(true))).toBeGreaterThan(Math.max(...chi(false)));
    }
    expect(neutral).toBeGreaterThan(20);
  });

  it('returns the best of all neutral choices, for any number of formula units', () => {
    const cost = (composition: Composition, ions: readonly ReturnType<typeof ionsOf>[number][]): number =>
      Object.values(composition).reduce(
        (sum, amount, i) => sum + amount * ((ions[i].isCommon ? 0 : 10) + Math.abs(ions[i].charge)),
        0,
      );
    for (let round = 0; round < 200; round++) {
      const composition = randomComposition();
      const charges = neutralCharges(composition);
      expect(neutralCharges(times(composition, 3))).toEqual(charges);
      if (!charges) continue;
      const elements = Object.keys(composition);
      const best = cost(
        composition,
        elements.map((element) => charges[element]),
      );
      const all = elements.reduce<(typeof charges)[string][][]>(
        (lists, element) => lists.flatMap((list) => ionsOf(element).map((ion) => [...list, ion])),
        [[]],
      );
      const cheaper = all.filter((ions) => {
        const total = ions.reduce((sum, { charge }, i) => sum + charge * composition[elements[i]], 0);
        const chi = (sign: number): number[] =>
          elements.flatMap((element, i) =>
            ions[i].charge * sign > 0 ? [elementBySymbol(element).electronegativity ?? 0] : [],
          );
        const isPossible = total === 0 && Math.min(...chi(-1)) > Math.max(...chi(1));
        return isPossible && cost(composition, ions) < best - 1e-9;
      });
      expect(cheaper).toEqual([]);
    }
  });
});

describe('volumeRatio, substitute and chemicalSystems', () => {
  it('volume ratios of successive replacements multiply, and do not change for multiples of a formula', () => {
    for (let round = 0; round < 100; round++) {
      const [a, b, c] = [randomComposition(), randomComposition(), randomComposition()];
      const ratio = (from: Composition, to: Composition): number =>
        volumeRatio(from, to, { from: null, to: null });
      expect(ratio(a, b) * ratio(b, c)).toBeCloseTo(ratio(a, c), 9);
      expect(ratio(times(a, 4), times(b, 4))).toBeCloseTo(ratio(a, b), 9);
    }
  });

  it('reversing a replacement of elements restores the crystal, and the cell has the requested volume', () => {
    for (let round = 0; round < 50; round++) {
      const edge = (): number => 3 + 4 * random();
      const crystal: Structure = {
        latticeVectors: [
          [edge(), 0, 0],
          [random(), edge(), 0],
          [random(), random(), edge()],
        ],
        sites: ['Na', 'Cl', 'Na'].map((symbol) => orderedSite(symbol, [random(), random(), random()])),
      };
      const ratio = 0.5 + random();
      const there = substitute(crystal, { replaced: { Na: 'K', Cl: 'Na' }, volumeRatio: ratio });
      expect(there.sites.map(({ species }) => species[0].element)).toEqual(['K', 'Na', 'K']);
      expect(cellVolume(there.latticeVectors) / cellVolume(crystal.latticeVectors)).toBeCloseTo(ratio, 9);
      const back = substitute(there, { replaced: { K: 'Na', Na: 'Cl' }, volumeRatio: 1 / ratio });
      expect(back.sites).toEqual(crystal.sites);
      back.latticeVectors
        .flat()
        .forEach((x, k) => expect(x).toBeCloseTo(crystal.latticeVectors.flat()[k], 9));
    }
  });
});

it('each set and each permutation is listed once, and their numbers are those of combinatorics', () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
  const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
  for (let n = 2; n <= 7; n++)
    for (let size = 1; size <= n; size++) {
      const elements = SYMBOLS.slice(0, n);
      for (const required of [[], elements.slice(-1), elements.slice(0, 2)].filter(
        (some) => some.length <= size,
      )) {
        const sets = chemicalSystems(elements, size, required).map(String);
        expect(sets).toHaveLength(choose(n - required.length, size - required.length));
        expect(new Set(sets).size).toBe(sets.length);
      }
    }
  for (let n = 0; n <= 6; n++) {
    const orders = [...permutations(SYMBOLS.slice(0, n))].map(String);
    expect([orders.length, new Set(orders).size]).toEqual([factorial(n), factorial(n)]);
  }
});
