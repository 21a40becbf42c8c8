/**
 * From the asymmetric unit to the whole conventional cell.
 */
import { operations_from_number } from '@spglib/moyo-wasm';
import { latticeVectorsFromParameters, orderedSite, type Site, type Structure } from '@unitcell/crystal';
import { type Mat3, norm3, type Vec3 } from '@unitcell/numerics';
import type { AsymmetricSite, Compound } from './compound.ts';

/** Å. Images of a site closer than this are one atom: published coordinates are rounded to 1e-3 … 1e-5 of the cell. */
export const SAME_ATOM_DISTANCE_ANGSTROM = 0.1;

/** Decimals kept in lattice vectors (Å) and fractional coordinates. */
const DECIMALS = 6;

interface Operation {
  /** Column convention: x' = rotation · x + translation. */
  readonly rotation: Mat3;
  readonly translation: Vec3;
}

const round = (value: number): number => Number(value.toFixed(DECIMALS)) + 0; // + 0 turns -0 into 0

/** The operations of a space group in its standard setting (first origin where there are two), with centring. */
function operationsOf(spaceGroupNumber: number): readonly Operation[] {
  return operations_from_number(spaceGroupNumber, { type: 'Spglib' }, false).map(
    ({ rotation: r, translation }) => ({
      // The engine writes rotations column by column.
      rotation: [
        [r[0], r[3], r[6]],
        [r[1], r[4], r[7]],
        [r[2], r[5], r[8]],
      ],
      translation,
    }),
  );
}

const apply = ({ rotation, translation }: Operation, p: Vec3): Vec3 => {
  const row = (k: 0 | 1 | 2): number =>
    rotation[k][0] * p[0] + rotation[k][1] * p[1] + rotation[k][2] * p[2] + translation[k];
  return [row(0), row(1), row(2)];
};

/** Shortest lattice-periodic difference in the sense of rounding, good for near-coincident points. */
const difference = (p: Vec3, q: Vec3): Vec3 => {
  const along = (k: 0 | 1 | 2): number => p[k] - q[k] - Math.round(p[k] - q[k]);
  return [along(0), along(1), along(2)];
};

const toCartesian = (d: Vec3, lattice: Mat3): Vec3 => {
  const along = (k: 0 | 1 | 2): number => d[0] * lattice[0][k] + d[1] * lattice[1][k] + d[2] * lattice[2][k];
  return [along(0), along(1), along(2)];
};

const coincide = (p: Vec3, q: Vec3, lattice: Mat3): boolean =>
  norm3(toCartesian(difference(p, q), lattice)) < SAME_ATOM_DISTANCE_ANGSTROM;

/** The point with the full site symmetry nearest to `p`: the mean of its images that fall on itself. */
function ontoSpecialPosition(p: Vec3, operations: readonly Operation[], lattice: Mat3): Vec3 {
  const shifts = operations.map((operation) => difference(apply(operation, p), p));
  const own = shifts.filter((shift) => norm3(toCartesian(shift, lattice)) < SAME_ATOM_DISTANCE_ANGSTROM);
  const mean = (k: 0 | 1 | 2): number => p[k] + own.reduce((sum, shift) => sum + shift[k], 0) / own.length;
  return [mean(0), mean(1), mean(2)];
}

const wrap = (x: number): number => {
  const inside = round(x - Math.floor(x));
  return inside >= 1 ? 0 : inside;
};

/** The atoms of one orbit, in the order of the operations. */
function orbitOf(site: AsymmetricSite, operations: readonly Operation[], lattice: Mat3): readonly Site[] {
  const first = ontoSpecialPosition(site.position, operations, lattice);
  const images: Vec3[] = [];
  for (const operation of operations) {
    const image = apply(operation, first);
    if (!images.some((other) => coincide(image, other, lattice))) images.push(image);
  }
  const multiplicity = Number.parseInt(site.wyckoff, 10);
  if (images.length !== multiplicity)
    throw new Error(
      `${site.element} ${site.wyckoff} at ${site.position.join(' ')} gives ${images.length} atoms, but the position is stated to hold ${multiplicity}.`,
    );
  return images.map((image) => orderedSite(site.element, [wrap(image[0]), wrap(image[1]), wrap(image[2])]));
}

/**
 * The conventional cell of a compound, a along x and b in the xy plane.
 * Needs the symmetry engine to be initialised.
 * @throws Error when a site does not have the multiplicity its Wyckoff position states.
 */
export function buildStructure(compound: Compound): Structure {
  const vectors = latticeVectorsFromParameters(compound.cell);
  const row = (k: 0 | 1 | 2): Vec3 => [round(vectors[k][0]), round(vectors[k][1]), round(vectors[k][2])];
  const latticeVectors: Mat3 = [row(0), row(1), row(2)];
  const operations = operationsOf(compound.spaceGroupNumber);
  return {
    latticeVectors,
    sites: compound.sites.flatMap((site) => orbitOf(site, operations, latticeVectors)),
  };
}
