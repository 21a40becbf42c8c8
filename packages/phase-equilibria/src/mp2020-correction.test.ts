import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import { hasSharedData, sharedJsonLines } from '@unitcell/tools/shared-data';
import type { Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { mp2020Correction } from './mp2020-correction.ts';

const cubic = (a: number, ...sites: readonly (readonly [string, ...Vec3])[]): Structure => ({
  latticeVectors: latticeVectorsFromParameters({ a, b: a, c: a, alpha: 90, beta: 90, gamma: 90 }),
  sites: sites.map(([element, x, y, z]) => orderedSite(element, [x, y, z])),
});
/** Two atoms per cell; neighbours along the edges determine the bond lengths. */
const pair = (a: number, cation: string, anion: string): Structure =>
  cubic(a, [cation, 0, 0, 0], [anion, 0.5, 0.5, 0.5]);
const ofCell = (...entry: Parameters<typeof mp2020Correction>): number => {
  const found = mp2020Correction(...entry);
  if ('reason' in found) throw new Error(found.reason);
  return Number(found.correction.toFixed(6));
};

describe('corrections of Wang et al. (2021), tables 2 and 3', () => {
  it('are zero for elements', () => expect(ofCell({ structure: cubic(3, ['O', 0, 0, 0]) })).toBe(0));

  it.each([
    ['oxide', 4, -0.687 * 2],
    // Limits of the O–O distance: 1.1 × 1.49 = 1.639 Å (peroxide) and 1.1 × 1.35 = 1.485 Å (superoxide).
    ['oxide', 1.65, -0.687 * 2],
    ['peroxide', 1.63, -0.465 * 2],
    ['peroxide', 1.49, -0.465 * 2],
    ['superoxide', 1.48, -0.161 * 2],
  ])('recognise an %s by its bonds', (_, bond, wanted) => {
    const structure = cubic(12, ['Ba', 0, 0, 0], ['O', 0.4, 0.5, 0.5], ['O', 0.4 + bond / 12, 0.5, 0.5]);
    expect(ofCell({ structure })).toBeCloseTo(wanted, 9);
  });

  it('correct metals in oxides and fluorides calculated with U, and require the U of the Materials Project', () => {
    const hubbards = { Fe: 5.3 };
    expect(ofCell({ structure: pair(4.3, 'Fe', 'O'), hubbards })).toBeCloseTo(-0.687 - 2.256, 9);
    expect(ofCell({ structure: pair(4.3, 'Fe', 'F'), hubbards })).toBeCloseTo(-0.462 - 2.256, 9);
    expect(ofCell({ structure: pair(4.3, 'Fe', 'S') })).toBeCloseTo(-0.503, 9);
    expect(mp2020Correction({ structure: pair(4.3, 'Fe', 'O') })).toEqual({
      reason: 'U is 0 eV on Fe, where the Materials Project has 5.3 eV',
    });
  });

  it.each([
    ['V', 3.25, -1.7],
    ['Cr', 3.7, -1.999],
    ['Mn', 3.9, -1.668],
    ['Co', 3.32, -1.638],
    ['Ni', 6.2, -2.541],
    ['W', 6.2, -4.438],
    ['Mo', 4.38, -3.202],
  ])('of %s with U = %d eV in an oxide is %d eV', (metal, u, wanted) => {
    const structure = pair(4.3, metal, 'O');
    expect(ofCell({ structure, hubbards: { [metal]: u } })).toBeCloseTo(-0.687 + wanted, 9);
  });

  it('of sulfur depend on its four nearest neighbours only', () => {
    const far = 2.3 / 12;
    const near = (2 / 12) * Math.sqrt(1 / 3);
    const structure = cubic(
      12,
      ['S', 0.5, 0.5, 0.5],
      ...(
        [
          [1, 1, 1],
          [1, -1, -1],
          [-1, 1, -1],
          [-1, -1, 1],
        ] as const
      ).map(([x, y, z]) => ['Ba', 0.5 + near * x, 0.5 + near * y, 0.5 + near * z] as const),
      ...(
        [
          [1, 0, 0],
          [-1, 0, 0],
          [0, 1, 0],
          [0, -1, 0],
          [0, 0, 1],
          [0, 0, -1],
        ] as const
      ).map(([x, y, z]) => ['F', 0.5 + far * x, 0.5 + far * y, 0.5 + far * z] as const),
    );
    expect(ofCell({ structure })).toBeCloseTo(-0.503 + 6 * -0.462, 9);
  });

  it('do not correct sulfur that is not an anion, and require oxidation states if the result depends on them', () => {
    const sulfate = cubic(
      7,
      ['Ba', 0, 0, 0],
      ['S', 0.5, 0.5, 0.5],
      ...(
        [
          [0.62, 0.62, 0.62],
          [0.62, 0.38, 0.38],
          [0.38, 0.62, 0.38],
          [0.38, 0.38, 0.62],
        ] as const
      ).map(([x, y, z]) => ['O', x, y, z] as const),
    );
    expect(ofCell({ structure: sulfate })).toBeCloseTo(4 * -0.687, 9);
    const structure = cubic(4, ['Y', 0, 0, 0], ['O', 0.5, 0.5, 0], ['Cl', 0.5, 0, 0.5]);
    expect(mp2020Correction({ structure })).toEqual({ reason: expect.stringContaining('Cl is an anion') });
    expect(ofCell({ structure, oxidationStates: { Y: 3, O: -2, Cl: -1 } })).toBeCloseTo(-1.301, 9);
    expect(ofCell({ structure, oxidationStates: { Y: 3, O: -2, Cl: 1 } })).toBeCloseTo(-0.687, 9);
    const silicon = { structure: pair(3.2, 'Si', 'O'), oxidationStates: 'by-neighbours' } as const;
    expect(ofCell(silicon)).toBeCloseTo(-0.687, 9);
  });

  it('with `as-there`, include the correction for U of oxides and fluorides without listed U values', () => {
    const learned = { hubbards: 'as-there' } as const;
    expect(ofCell({ structure: pair(4.3, 'Fe', 'O'), ...learned })).toBeCloseTo(-0.687 - 2.256, 9);
    expect(ofCell({ structure: pair(4.3, 'Fe', 'S'), ...learned })).toBeCloseTo(-0.503, 9);
  });
});

interface Row {
  readonly id: string;
  readonly correction: number;
  readonly hubbards: Readonly<Record<string, number>>;
  readonly lat: readonly [number, number, number, number, number, number];
  readonly sp: readonly string[];
  readonly x: readonly number[];
}

describe.runIf(hasSharedData)('published entries of the Materials Project', () => {
  // Both data sets follow MP2020 and include the structures (materialsproject/reaction-network, CC BY 4.0).
  it.each([
    ['Fe-Li-O-P', 943],
    ['Cl-Mn-Na-O-Y', 260],
  ])('%s: every correction that can be decided is the published one', (system, least) => {
    let [same, sameByNeighbours, all] = [0, 0, 0];
    const wrong: unknown[] = [];
    for (const row of sharedJsonLines<Row>('datasets', 'hull-entries', `${system}.jsonl.gz`)) {
      const [a, b, c, alpha, beta, gamma] = row.lat;
      const structure: Structure = {
        latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
        sites: row.sp.map((element, i) =>
          orderedSite(element, [row.x[3 * i], row.x[3 * i + 1], row.x[3 * i + 2]]),
        ),
      };
      const guessed = mp2020Correction({
        structure,
        hubbards: row.hubbards,
        oxidationStates: 'by-neighbours',
      });
      all++;
      if ('correction' in guessed && Math.abs(guessed.correction - row.correction) < 1e-3) sameByNeighbours++;
      const found = mp2020Correction({ structure, hubbards: row.hubbards });
      if ('reason' in found) continue;
      if (Math.abs(found.correction - row.correction) < 1e-3) same++;
      else wrong.push([row.id, row.sp.join(''), found.correction, row.correction]);
    }
    expect(wrong).toEqual([]);
    expect(same).toBeGreaterThanOrEqual(least);
    // With `by-neighbours`, nearly all corrections can be determined and agree.
    expect(sameByNeighbours / all).toBeGreaterThan(0.95);
  });
});
