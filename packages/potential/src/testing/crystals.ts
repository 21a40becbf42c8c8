/** Prototypes, and seeded random distortions of them. */
import { orderedSite, type Structure } from '@unitcell/crystal';
import { inverse3, type Mat3, multiply3, rowTimesMatrix3, seededRandom, type Vec3 } from '@unitcell/numerics';

/** A primitive face-centred cubic cell, with the basis in fractions of the cell. */
function faceCentred(a: number, basis: readonly (readonly [string, Vec3])[]): Structure {
  const h = a / 2;
  return {
    latticeVectors: [
      [0, h, h],
      [h, 0, h],
      [h, h, 0],
    ],
    sites: basis.map(([element, position]) => orderedSite(element, position)),
  };
}

export const silicon = (a = 5.463198): Structure =>
  faceCentred(a, [
    ['Si', [0, 0, 0]],
    ['Si', [0.25, 0.25, 0.25]],
  ]);

export const rockSalt = (metal: string, anion: string, a: number): Structure =>
  faceCentred(a, [
    [metal, [0, 0, 0]],
    [anion, [0.5, 0.5, 0.5]],
  ]);

export const magnesia = (a = 4.25): Structure => rockSalt('Mg', 'O', a);

export const copper = (a = 3.63): Structure => faceCentred(a, [['Cu', [0, 0, 0]]]);

/** The structure after x → x · deformation in Cartesian coordinates. */
export const deformed = (structure: Structure, deformation: Mat3): Structure => ({
  ...structure,
  latticeVectors: multiply3(structure.latticeVectors, deformation),
});

/** Moves a site by a Cartesian vector, Å. */
export function displaced(structure: Structure, moved: number, by: Vec3): Structure {
  const [u, v, w] = rowTimesMatrix3(by, inverse3(structure.latticeVectors));
  return {
    ...structure,
    sites: structure.sites.map((site, index) => {
      const [x, y, z] = site.fractionalCoords;
      return index === moved ? { ...site, fractionalCoords: [x + u, y + v, z + w] } : site;
    }),
  };
}

/** The structure strained by up to 3 %, with every atom moved by up to 0.1 Å along each axis. */
export function distorted(structure: Structure, seed: number): Structure {
  const random = seededRandom(seed);
  const uniform = (size: number): number => (2 * random() - 1) * size;
  const row = (k: number): Vec3 => [0, 1, 2].map((j) => (j === k ? 1 : 0) + uniform(0.03)) as unknown as Vec3;
  const strained = deformed(structure, [row(0), row(1), row(2)]);
  return strained.sites.reduce(
    (moved, _, site) => displaced(moved, site, [uniform(0.1), uniform(0.1), uniform(0.1)]),
    strained,
  );
}
