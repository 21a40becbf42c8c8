import {
  add3,
  inverse3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  seededRandom,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import { leastCpuMs } from '@unitcell/tools/least-cpu';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bondedNeighbours, coordinationPolyhedra } from './bonds.ts';
import { density } from './composition.ts';
import { readStructureText } from './io/read-structure-text.ts';
import { latticeVectorsFromParameters } from './lattice.ts';
import { MAX_NEIGHBOUR_PAIRS, minimumDistance, neighbourList, visitPairs } from './neighbours.ts';
import { fromPymatgenDict, toPymatgenDict } from './pymatgen-dict.ts';
import { orderedSite, type Structure, supercell } from './structure.ts';
import { randomUnimodular } from './testing/random-unimodular.ts';
import { rutile } from './testing/rutile.ts';

const cube = (a: number) => latticeVectorsFromParameters({ a, b: a, c: a, alpha: 90, beta: 90, gamma: 90 });
/** Conventional cell, a = 5.6402 Å (Wyckoff 1963). */
const rockSalt: Structure = {
  latticeVectors: cube(5.6402),
  sites: [
    ...[
      [0, 0, 0],
      [0, 0.5, 0.5],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0],
    ].map((x) => orderedSite('Na', x as unknown as Vec3)),
    ...[
      [0.5, 0.5, 0.5],
      [0.5, 0, 0],
      [0, 0.5, 0],
      [0, 0, 0.5],
    ].map((x) => orderedSite('Cl', x as unknown as Vec3)),
  ],
};
/** Lists every image within a large block of cells, by brute force. */
function bruteForce({ latticeVectors, sites }: Structure, cutoff: number, range: number): string[] {
  const found: string[] = [];
  sites.forEach((site, from) =>
    sites.forEach((other, to) => {
      for (let i = -range; i <= range; i++)
        for (let j = -range; j <= range; j++)
          for (let k = -range; k <= range; k++) {
            const image: Vec3 = [i, j, k];
            const difference = subtract3(add3(other.fractionalCoords, image), site.fractionalCoords);
            const distance = norm3(rowTimesMatrix3(difference, latticeVectors));
            if (distance <= cutoff && (from !== to || distance > 1e-8))
              found.push(`${from}-${to}:${image.join()}`);
          }
    }),
  );
  return found.sort();
}

describe('neighbourList', () => {
  it('finds the same neighbours as a search of all images, in small and oblique cells', () => {
    const coordinate = fc.double({ min: -1.2, max: 1.2, noNaN: true });
    const cell = fc.record({
      a: fc.double({ min: 2, max: 7, noNaN: true }),
      b: fc.double({ min: 2, max: 7, noNaN: true }),
      c: fc.double({ min: 2, max: 7, noNaN: true }),
      alpha: fc.double({ min: 60, max: 100, noNaN: true }),
      beta: fc.double({ min: 60, max: 100, noNaN: true }),
      gamma: fc.double({ min: 45, max: 100, noNaN: true }),
    });
    const positions = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(cell, positions, (parameters, coordinates) => {
        let latticeVectors: Structure['latticeVectors'];
        try {
          latticeVectors = latticeVectorsFromParameters(parameters);
        } catch {
          return;
        }
        const structure = { latticeVectors, sites: coordinates.map((x) => orderedSite('Fe', x)) };
        const cutoff = 3.137;
        const found = neighbourList(structure, cutoff).flatMap((neighbours, from) =>
          neighbours.map(({ site, image }) => `${from}-${site}:${image.map((n) => n + 0).join()}`),
        );
        expect(found.sort()).toEqual(bruteForce(structure, cutoff, 9));
      }),
      { seed: 5, numRuns: 30 },
    );
  });

  it('gives 6, 12 and 8 neighbours in the first three shells of rock salt', () => {
    const distances = neighbourList(rockSalt, 5)[0].map(({ distance }) => distance);
    const half = 5.6402 / 2;
    for (const [shell, count] of [
      [half, 6],
      [half * Math.SQRT2, 12],
      [half * Math.sqrt(3), 8],
    ])
      expect(distances.filter((distance) => Math.abs(distance - shell) < 1e-9).length).toBe(count);
  });

  it('refuses invalid cutoffs and lists that would fill memory', () => {
    expect(() => neighbourList(rockSalt, 0)).toThrow(/positive/);
    expect(() => neighbourList(rockSalt, Number.NaN)).toThrow(/positive/);
    expect(() => neighbourList(rockSalt, 200)).toThrow(/shorter cutoff/);
  });
});

describe('neighbourList in another basis of the cell', () => {
  it('gives the same pairs, images and distances: 500 random structures in random bases', () => {
    const random = seededRandom(2026);
    for (let run = 0; run < 500; run++) {
      const lattice = latticeVectorsFromParameters({
        a: 2 + 5 * random(),
        b: 2 + 5 * random(),
        c: 2 + 5 * random(),
        alpha: 65 + 50 * random(),
        beta: 65 + 50 * random(),
        gamma: 65 + 50 * random(),
      });
      const sites = Array.from({ length: 1 + Math.floor(4 * random()) }, () =>
        orderedSite('Fe', [3 * random() - 1, random(), 2 * random()]),
      );
      const change = randomUnimodular(random, 8);
      const back = inverse3(change).map((row) => row.map(Math.round)) as unknown as typeof change;
      const skewed: Structure = {
        latticeVectors: multiply3(change, lattice),
        sites: sites.map(({ fractionalCoords }) =>
          orderedSite('Fe', rowTimesMatrix3(fractionalCoords, back)),
        ),
      };
      const plain: Structure = { latticeVectors: lattice, sites };
      // No pair distance is near this cutoff, so rounding does not affect the result.
      const cutoff = 3.1 + random();
      const distances = neighbourList(plain, cutoff + 0.01)
        .flat()
        .map(({ distance }) => distance);
      if (distances.some((distance) => Math.abs(distance - cutoff) < 1e-6)) continue;
      const listed = (structure: Structure, toPlain: typeof change | null): string[] =>
        neighbourList(structure, cutoff)
          .flatMap((neighbours, from) =>
            neighbours.map(({ site, image, distance }) => {
              const shift = toPlain ? rowTimesMatrix3(image, toPlain) : image;
              return `${from}-${site}:${shift.map((n) => n + 0).join()} ${distance.toFixed(6)}`;
            }),
          )
          .sort();
      expect(listed(skewed, change)).toEqual(listed(plain, null));
      expect(minimumDistance(skewed)).toBeCloseTo(minimumDistance(plain), 8);
    }
  });

  it('returns within 50 ms of CPU time for cells of any skew', () => {
    const sites = [orderedSite('Si', [0, 0, 0])];
    for (const skew of [25, 900, 2500]) {
      const latticeVectors = [
        [4, 0, 0],
        [4 * skew, 4, 0],
        [0, 4 * skew, 4],
      ] as const;
      expect(
        leastCpuMs(() => expect(minimumDistance({ latticeVectors, sites })).toBeCloseTo(4, 9), 50),
      ).toBeLessThan(50);
      expect(bondedNeighbours({ latticeVectors, sites: [orderedSite('Cs', [0, 0, 0])] })[0]).toHaveLength(6);
    }
    for (const angles of [
      { alpha: 0.009, beta: 90, gamma: 90 },
      { alpha: 90, beta: 0.0194, gamma: 90 },
    ]) {
      const latticeVectors = latticeVectorsFromParameters({ a: 5.463, b: 5.463, c: 5.463, ...angles });
      const structure = { latticeVectors, sites: rockSalt.sites };
      let shortest = 0;
      expect(leastCpuMs(() => (shortest = minimumDistance(structure)), 50)).toBeLessThan(50);
      expect(shortest).toBeLessThan(0.002);
    }
  });

  it('refuses cutoffs that would list too many pairs, and suggests a remedy in the message', () => {
    const needle: Structure = {
      latticeVectors: [
        [1e-6, 0, 0],
        [0, 5, 0],
        [0, 0, 5],
      ],
      sites: [orderedSite('Fe', [0, 0, 0])],
    };
    expect(leastCpuMs(() => expect(minimumDistance(needle)).toBeCloseTo(1e-6, 12), 50)).toBeLessThan(50);
    expect(() => neighbourList(needle, 3)).toThrow(`${MAX_NEIGHBOUR_PAIRS}`);
    expect(() => neighbourList(needle, 3)).toThrow(/shorter cutoff or a cell/);
  });

  it('finds the neighbours in a dense corner of an empty cell without comparing all pairs', () => {
    const random = seededRandom(8);
    const sites = Array.from({ length: 4000 }, () =>
      orderedSite('C', [random() / 60, random() / 60, random() / 60]),
    );
    const structure = { latticeVectors: cube(6000), sites };
    expect(leastCpuMs(() => neighbourList(structure, 2), 1000)).toBeLessThan(1000);
  });
});

describe('minimumDistance', () => {
  it.each([
    ['a skewed cube', 'skew\n1.0\n4 0 0\n3600 4 0\n0 3600 4\nSi\n1\nDirect\n0 0 0\n', 4],
    ['a scaled one', 'skew\n0.5\n8 0 0\n7200 8 0\n0 7200 8\nSi\n1\nDirect\n0.5 0.25 0\n', 4],
  ])('for the POSCAR of %s equals that of the cubic cell', (_name, text, expected) => {
    const [{ structure }] = readStructureText(text).structures;
    expect(minimumDistance(structure)).toBeCloseTo(expected, 9);
  });

  it('is half the edge for rock salt, and the shortest lattice translation for a single atom', () => {
    expect(minimumDistance(rockSalt)).toBeCloseTo(2.8201, 6);
    expect(
      minimumDistance({ latticeVectors: cube(17), sites: [orderedSite('Po', [0.3, 0, 0])] }),
    ).toBeCloseTo(17, 9);
  });
});

describe('bonds and polyhedra', () => {
  it('rutile has 12 Ti-O bonds per cell and two octahedra', () => {
    const ofTitanium = bondedNeighbours(rutile).slice(0, 2).flat();
    expect(ofTitanium.filter(({ site }) => site >= 2)).toHaveLength(12);
    const polyhedra = coordinationPolyhedra(rutile);
    expect(polyhedra.map(({ center, vertices }) => [center, vertices.length])).toEqual([
      [0, 6],
      [1, 6],
    ]);
    for (const { center, ligands, vertices } of polyhedra) {
      const middle = rowTimesMatrix3(rutile.sites[center].fractionalCoords, rutile.latticeVectors);
      vertices.forEach((vertex, index) =>
        expect(norm3(subtract3(vertex, middle))).toBeCloseTo(ligands[index].distance, 9),
      );
    }
  });
});

describe('density and supercell', () => {
  it('rock salt has 2.163 g/cm³ in any supercell', () => {
    expect(density(rockSalt)).toBeCloseTo(2.163, 3);
    const large = supercell(rockSalt, [2, 1, 3]);
    expect(large.sites.length).toBe(48);
    expect(density(large)).toBeCloseTo(density(rockSalt), 12);
    expect(minimumDistance(large)).toBeCloseTo(minimumDistance(rockSalt), 9);
  });

  it('refuses repeats that are not whole and cells beyond the limit', () => {
    expect(() => supercell(rockSalt, [1, 0, 1])).toThrow(/positive whole/);
    expect(() => supercell(rockSalt, [1, 1.5, 1])).toThrow(/positive whole/);
    expect(() => supercell(rockSalt, [1000, 1000, 1])).toThrow(/at most/);
  });
});

describe('pymatgen JSON', () => {
  it('is read back unchanged', () => {
    expect(fromPymatgenDict(JSON.parse(JSON.stringify(toPymatgenDict(rutile))))).toEqual(rutile);
  });

  it('reads charged species and drops the charge', () => {
    const lattice = { matrix: cube(4) };
    const sites = [{ species: [{ element: 'Fe3+', occu: 0.5 }], abc: [0, 0, 0] }];
    expect(fromPymatgenDict({ lattice, sites }).sites[0].species).toEqual([
      { element: 'Fe', occupancy: 0.5 },
    ]);
  });

  const lattice = { matrix: cube(4) };
  const site = { species: [{ element: 'Fe', occu: 1 }], abc: [0, 0, 0] };
  it.each([
    [null, /top level/],
    [{ sites: [site] }, /lattice: expected/],
    [
      {
        lattice: {
          matrix: [
            [1, 0, 0],
            [2, 0, 0],
            [0, 0, 1],
          ],
        },
        sites: [site],
      },
      /span a volume/,
    ],
    [
      {
        lattice: {
          matrix: [
            [1, 0],
            [2, 0, 0],
            [0, 0, 1],
          ],
        },
        sites: [site],
      },
      /matrix\[0\]/,
    ],
    [{ lattice, sites: [] }, /at least one site/],
    [{ lattice, sites: [{ ...site, abc: [0, 0, Number.NaN] }] }, /sites\[0\]\.abc/],
    [{ lattice, sites: [{ ...site, species: [{ element: 'Xx', occu: 1 }] }] }, /element symbol/],
    [{ lattice, sites: [{ ...site, species: [{ element: 'Fe', occu: 2 }] }] }, /occu/],
    [{ lattice, sites: [{ ...site, species: [site.species[0], { element: 'Co', occu: 1 }] }] }, /add up/],
  ])('refuses %j', (value, message) => {
    expect(() => fromPymatgenDict(value)).toThrow(message);
  });
});

describe('visitPairs', () => {
  it('gives the pairs of neighbourList, each once, with their distances, in cells of any shape', () => {
    const random = seededRandom(411);
    for (let round = 0; round < 20; round++) {
      const structure: Structure = {
        latticeVectors: multiply3(randomUnimodular(random, 6), cube(3 + 3 * random())),
        sites: Array.from({ length: 1 + Math.floor(5 * random()) }, () =>
          orderedSite('Na', [4 * random() - 2, random(), 3 * random()]),
        ),
      };
      const cutoff = 2 + 4 * random();
      const visited: string[] = [];
      visitPairs(structure, cutoff, (site, other, distance) => visited.push(`${site} ${other} ${distance}`));
      const listed = neighbourList(structure, cutoff).flatMap((list, site) =>
        list.filter((one) => one.site >= site).map((one) => `${site} ${one.site} ${one.distance}`),
      );
      expect(visited.sort()).toEqual(listed.sort());
    }
  });

  it('refuses an unreasonable cutoff', () => {
    expect(() => visitPairs(rockSalt, Number.NaN, () => undefined)).toThrow(/cutoff is NaN/);
    expect(() => visitPairs(rockSalt, 200, () => undefined)).toThrow(/pairs of atoms within 200/);
  });
});
