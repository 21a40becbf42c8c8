import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import { seededRandom, type Vec3 } from '@unitcell/numerics';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { catalogueCells } from './catalogue-cells.ts';
import { prototypeKey } from './analyze-symmetry.ts';
import { anatase, lithiumIronPhosphate, quartz, rutile, wurtzite, zincBlende } from './testing/fixtures.ts';
import { shiftOrigin } from './testing/transform-structure.ts';

const sites = (...elements: readonly string[]) => ({
  sites: elements.map((element) => orderedSite(element, [0, 0, 0])),
});

describe('prototypeKey', () => {
  it('is the same for rock salt of any elements, whichever element is at the origin', () => {
    expect(prototypeKey(sites('Na', 'Na', 'Cl', 'Cl'), ['a', 'a', 'b', 'b'], 225)).toBe('225:a2 b2');
    expect(prototypeKey(sites('O', 'O', 'Mg', 'Mg'), ['a', 'a', 'b', 'b'], 225)).toBe('225:a2 b2');
    expect(prototypeKey(sites('O', 'O', 'Mg', 'Mg'), ['b', 'b', 'a', 'a'], 225)).toBe('225:a2 b2');
  });

  it('distinguishes which sites share an element', () => {
    const letters = ['a', 'b', 'b'];
    expect(prototypeKey(sites('Fe', 'Fe', 'O'), letters, 1)).not.toBe(
      prototypeKey(sites('Fe', 'O', 'O'), letters, 1),
    );
    expect(prototypeKey(sites('Fe', 'O', 'O'), letters, 1)).not.toBe(
      prototypeKey(sites('Fe', 'O', 'O'), letters, 2),
    );
  });

  /** Key of a structure, computed as in the catalogue. */
  function keyOf(structure: Structure): string {
    const { conventional, idealised } = catalogueCells(structure);
    return prototypeKey(conventional.structure, conventional.wyckoffs, idealised.spaceGroup.number);
  }

  const perovskite = (a: number, large: string, small: string, corner: boolean): Structure => {
    const at = (...positions: Vec3[]) =>
      positions.map(([x, y, z]): Vec3 => (corner ? [x, y, z] : [x + 0.5, y + 0.5, z + 0.5]));
    const [A, B, ...O] = at([0, 0, 0], [0.5, 0.5, 0.5], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]);
    return {
      latticeVectors: [
        [a, 0, 0],
        [0, a, 0],
        [0, 0, a],
      ],
      sites: [orderedSite(large, A), orderedSite(small, B), ...O.map((x) => orderedSite('O', x))],
    };
  };

  it('is the same for SrTiO3 and BaTiO3, whichever cation is at the origin', () => {
    const atoms = sites('Sr', 'Ti', 'O', 'O', 'O');
    const keys = [
      prototypeKey(atoms, ['a', 'b', 'c', 'c', 'c'], 221),
      prototypeKey(atoms, ['b', 'a', 'd', 'd', 'd'], 221),
    ];
    expect(keys).toEqual(['221:a1 b1 c3', '221:a1 b1 c3']);
    expect(keyOf(perovskite(3.905, 'Sr', 'Ti', true))).toBe(keyOf(perovskite(4.0, 'Ba', 'Ti', false)));
  });

  it('is the same for LiFePO4 and LiNiPO4 with lithium shifted by half a cell', () => {
    const atoms = sites('Li', 'Ni', 'P', 'O', 'O', 'O');
    expect(prototypeKey(atoms, ['a', 'c', 'c', 'c', 'c', 'd'], 62)).toBe(
      prototypeKey(atoms, ['b', 'c', 'c', 'c', 'c', 'd'], 62),
    );
  });

  it('is invariant under shifts of the origin and changes of the axes', () => {
    const random = seededRandom(364);
    const crystals = [anatase, lithiumIronPhosphate, quartz, rutile, wurtzite, zincBlende];
    for (const structure of crystals) {
      const key = keyOf(structure);
      for (let round = 0; round < 3; round++) {
        const moved = shiftOrigin(structure, [random(), random(), random()]);
        const [a, b, c] = moved.latticeVectors;
        const turned = {
          latticeVectors: [b, c, a] as const,
          sites: moved.sites.map(({ species, fractionalCoords: [x, y, z] }) => ({
            species,
            fractionalCoords: [y, z, x] as const,
          })),
        };
        expect(keyOf(turned)).toBe(key);
      }
    }
  });

  it.runIf(hasSharedData)('is the same for the AFLOW prototypes at every equivalent origin', () => {
    const random = seededRandom(288);
    const file = sharedPath('datasets', 'aflow-prototypes', 'aflow_prototypes_288.jsonl.gz');
    const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
    const changed: string[] = [];
    const every = process.env.NIGHTLY ? 1 : 3;
    for (const line of lines.filter((_, i) => i % every === 0)) {
      const { aflow, lat, sp, frac } = JSON.parse(line) as {
        aflow: string;
        lat: number[];
        sp: string[];
        frac: Vec3[];
      };
      const [a, b, c, alpha, beta, gamma] = lat;
      const structure = {
        latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
        sites: sp.map((element, site) => orderedSite(element, frac[site])),
      };
      const shift: Vec3 = [random(), random(), random()];
      if (keyOf(structure) !== keyOf(shiftOrigin(structure, shift))) changed.push(aflow);
    }
    expect(changed).toEqual([]);
  });
});
