import { subtract3, type Vec3 } from '@unitcell/numerics';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asymmetricUnit } from '../asymmetric-unit.ts';
import { operationsFromHallSymbol } from '../hall-symbol.ts';
import { cellVolume, latticeParameters, latticeVectorsFromParameters } from '../lattice.ts';
import { minimumDistance, neighbourList } from '../neighbours.ts';
import { orderedSite, type Site, type Structure } from '../structure.ts';
import { expandSites } from './expand-sites.ts';
import { readCif } from './read-cif.ts';
import { readPoscar } from './read-poscar.ts';
import { writeCif, writePoscar } from './write-structure.ts';

const cell = { a: 5, b: 6, c: 7, alpha: 80, beta: 95, gamma: 110 };
const latticeVectors = latticeVectorsFromParameters(cell);
const coordinate = fc.double({ min: -2, max: 2, noNaN: true });
const position = fc.tuple(coordinate, coordinate, coordinate);

const expectSameSites = (found: readonly Site[], expected: readonly Site[]): void => {
  expect(found.length).toBe(expected.length);
  found.forEach((site, index) => {
    expect(site.species).toEqual(expected[index].species);
    for (const difference of subtract3(site.fractionalCoords, expected[index].fractionalCoords))
      expect(Math.abs(difference - Math.round(difference))).toBeLessThan(2e-10);
  });
};

/** Whether sites are so far apart that none are merged. */
const isSpread = (sites: readonly Site[]): boolean =>
  sites.length === 1 || minimumDistance({ latticeVectors, sites }) > 0.1;

describe('writeCif', () => {
  it('writes a text that is read back as the same structure, including disorder', () => {
    const species = fc.constantFrom(
      [{ element: 'Fe', occupancy: 1 }],
      [{ element: 'O', occupancy: 0.25 }],
      [
        { element: 'Li', occupancy: 0.5 },
        { element: 'Na', occupancy: 0.375 },
      ],
    );
    const sites = fc
      .array(fc.record({ species, fractionalCoords: position }), { minLength: 1, maxLength: 8 })
      .filter(isSpread);
    fc.assert(
      fc.property(sites, (written) => {
        const { structure } = readCif(writeCif({ latticeVectors, sites: written })).structures[0];
        expectSameSites(structure.sites, written);
        const found = latticeParameters(structure.latticeVectors);
        for (const key of ['a', 'b', 'c', 'alpha', 'beta', 'gamma'] as const)
          expect(found[key]).toBeCloseTo(cell[key], 9);
      }),
      { seed: 6, numRuns: 40 },
    );
  });

  describe('with symmetry', () => {
    const operations = operationsFromHallSymbol('-P 2ac 2n'); // Pnma
    const box = latticeVectorsFromParameters({ a: 10.3, b: 6, c: 4.7, alpha: 90, beta: 90, gamma: 90 });
    const olivine = [
      { element: 'Li', occupancy: 1, position: [0, 0, 0] as Vec3 },
      { element: 'Fe', occupancy: 1, position: [0.282, 0.25, 0.975] as Vec3 },
      { element: 'P', occupancy: 1, position: [0.095, 0.25, 0.418] as Vec3 },
      { element: 'O', occupancy: 1, position: [0.165, 0.047, 0.285] as Vec3 },
    ];
    const structure = { latticeVectors: box, sites: expandSites(box, olivine, operations, () => {}) };

    it('writes one site of each orbit, and the whole cell is read back', () => {
      expect(structure.sites.length).toBe(4 + 4 + 4 + 8);
      const text = writeCif(structure, { setting: { hallSymbol: '-P 2ac 2n' } });
      const [read] = readCif(text).structures;
      expectSameSites(read.structure.sites, structure.sites);
    });

    it('uses a precomputed asymmetric unit, unless it reverses the axes of the cell', () => {
      const setting = { hallSymbol: '-P 2ac 2n' };
      const unit = asymmetricUnit(structure, operations, 0.01);
      expect(writeCif(structure, { setting: { ...setting, unit } })).toBe(writeCif(structure, { setting }));
      const none = { ...setting, unit: [] };
      expect(writeCif(structure, { setting: none })).not.toContain('Fe1 Fe 4');
      const [a, b, c] = box.map(([x, y, z]): Vec3 => [-x, -y, -z]);
      const left: Structure = { ...structure, latticeVectors: [a, b, c] };
      expect(writeCif(left, { setting: none })).toContain('Fe1 Fe 4');
    });
  });

  it('refuses operations that are not symmetries of the structure', () => {
    const structure = { latticeVectors, sites: [orderedSite('Fe', [0.1, 0.2, 0.3])] };
    expect(() => writeCif(structure, { setting: { hallSymbol: '-P 1' } })).toThrow(/no partner/);
  });

  it('keeps all distances of a left-handed cell', () => {
    const [a, b, c] = latticeVectors;
    const sites = [orderedSite('Fe', [0.1, 0.2, 0.3]), orderedSite('O', [0.4, 0.1, 0.9])];
    const left: Structure = { latticeVectors: [b, a, c], sites };
    const { structure } = readCif(writeCif(left)).structures[0];
    const distances = (of: Structure): number[] => neighbourList(of, 6)[0].map(({ distance }) => distance);
    expect(distances(structure).length).toBe(distances(left).length);
    distances(left).forEach((distance, index) =>
      expect(distances(structure)[index]).toBeCloseTo(distance, 8),
    );
  });

  it('escapes names that would break the file', () => {
    const structure = { latticeVectors, sites: [orderedSite('Fe', [0, 0, 0])] };
    const [read] = readCif(writeCif(structure, { name: "bad name'\nloop_ #" })).structures;
    expect(read.name).toBe('bad_name__loop___');
  });
});

describe('writePoscar', () => {
  it('writes a text that is read back as the same structure', () => {
    const sites = fc.array(position, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sites, (coordinates) => {
        const written = { latticeVectors, sites: coordinates.map((x) => orderedSite('Fe', x)) };
        const { structure } = readPoscar(writePoscar(written));
        expectSameSites(structure.sites, written.sites);
        expect(cellVolume(structure.latticeVectors)).toBeCloseTo(cellVolume(latticeVectors), 9);
      }),
      { seed: 7, numRuns: 40 },
    );
  });

  it('groups sites by element', () => {
    const sites = ['O', 'Fe', 'O'].map((element, index) => orderedSite(element, [index / 3, 0, 0]));
    const text = writePoscar({ latticeVectors, sites }, { name: 'rust' });
    expect(text.split('\n')[0]).toBe('rust');
    expect(text.split('\n').slice(5, 7)).toEqual(['O Fe', '2 1']);
  });

  it('refuses disorder', () => {
    const sites: Site[] = [{ species: [{ element: 'Fe', occupancy: 0.5 }], fractionalCoords: [0, 0, 0] }];
    expect(() => writePoscar({ latticeVectors, sites })).toThrow(/partly empty/);
  });
});

describe('asymmetricUnit', () => {
  it('moves sites exactly onto their special positions', () => {
    const operations = operationsFromHallSymbol('-P 1');
    const sites = [
      orderedSite('Fe', [0.501, 0.5, 0.499]),
      orderedSite('O', [0.2, 0.2, 0.2]),
      orderedSite('O', [0.801, 0.8, 0.8]),
    ];
    const unit = asymmetricUnit({ latticeVectors, sites }, operations, 0.1);
    expect(unit.map(({ multiplicity }) => multiplicity)).toEqual([1, 2]);
    for (const [index, expected] of [0.5, 0.5, 0.5].entries())
      expect(unit[0].site.fractionalCoords[index]).toBeCloseTo(expected, 12);
    expect(unit[1].site.fractionalCoords[0]).toBeCloseTo(0.1995, 12);
  });
});
