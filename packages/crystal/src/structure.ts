/** The structure type shared by every package: plain readonly data, no classes. */
import { determinant3, type Mat3, scale3, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';
import { MAX_READ_SITES } from './io/limits.ts';

/** A structure as flat JSON for storage and transport; it takes a third of the size of nested objects. */
export interface CompactCell {
  /** Nine numbers: the rows a, b, c in Å. */
  readonly lattice: readonly number[];
  /** For each site `Li`, or `[["Li", 0.5], ["Na", 0.5]]` if it is shared or partly empty. */
  readonly species: readonly (string | readonly (readonly [string, number])[])[];
  /** Three fractional coordinates for each site. */
  readonly coords: readonly number[];
}

/** Coordinates are rounded to 1e-8 of a cell edge, which is far below any tolerance in use. */
const round = (value: number): number => Math.round(value * 1e8) / 1e8;

export const toCompactCell = (structure: Structure): CompactCell => ({
  lattice: structure.latticeVectors.flat().map(round),
  species: structure.sites.map(({ species }) =>
    species.length === 1 && species[0].occupancy === 1
      ? species[0].element
      : species.map(({ element, occupancy }): [string, number] => [element, occupancy]),
  ),
  coords: structure.sites.flatMap(({ fractionalCoords: [x, y, z] }) => [round(x), round(y), round(z)]),
});

export function fromCompactCell({ lattice, species, coords }: CompactCell): Structure {
  const row = (i: number): [number, number, number] => [
    lattice[i] ?? 0,
    lattice[i + 1] ?? 0,
    lattice[i + 2] ?? 0,
  ];
  return {
    latticeVectors: [row(0), row(3), row(6)],
    sites: species.map((kind, index) => ({
      species:
        typeof kind === 'string'
          ? [{ element: kind, occupancy: 1 }]
          : kind.map(([element, occupancy]): Species => ({ element, occupancy })),
      fractionalCoords: [coords[3 * index] ?? 0, coords[3 * index + 1] ?? 0, coords[3 * index + 2] ?? 0],
    })),
  };
}

/** One kind of atom on a site. Occupancies of a site add up to at most 1; less means a partly vacant site. */
export interface Species {
  /** Element symbol. Readers give deuterium as `H`, unless they are asked to keep it as `D`. */
  readonly element: string;
  /** Share of the site that carries this element, 0 < occupancy ≤ 1. */
  readonly occupancy: number;
}

export interface Site {
  readonly species: readonly Species[];
  /** Position in units of the lattice vectors; any real numbers, conventionally in [0, 1). */
  readonly fractionalCoords: Vec3;
  /** Name of the site in its source file (`Fe1`), if any. */
  readonly label?: string;
  /**
   * Magnetic moment, μB: signed along the common axis of a collinear order, otherwise its length. Known only
   * for structures read from files; the catalogue and its standard cells do not store it.
   */
  readonly moment?: number;
}

export interface Structure {
  /** Rows a, b, c in Å. */
  readonly latticeVectors: Mat3;
  readonly sites: readonly Site[];
}

/** An ordered site: one element at full occupancy. */
export const orderedSite = (element: string, fractionalCoords: Vec3): Site => ({
  species: [{ element, occupancy: 1 }],
  fractionalCoords,
});

/** The same crystal with deuterium as hydrogen, which has the same chemistry. */
export const withNaturalHydrogen = (structure: Structure): Structure => ({
  ...structure,
  sites: structure.sites.map((site) => ({
    ...site,
    species: site.species.map((one) => (one.element === 'D' ? { ...one, element: 'H' } : one)),
  })),
});

/**
 * The same crystal with a right-handed cell: reversing all three axes of a left-handed one keeps the atoms in space.
 */
export function rightHanded({ latticeVectors, sites }: Structure): Structure {
  if (determinant3(latticeVectors) > 0) return { latticeVectors, sites };
  const [a, b, c] = latticeVectors;
  return {
    latticeVectors: [scale3(a, -1), scale3(b, -1), scale3(c, -1)],
    sites: sites.map((site) => ({ ...site, fractionalCoords: scale3(site.fractionalCoords, -1) })),
  };
}

/** True when every site carries exactly one element at full occupancy. */
export const isOrdered = (structure: Structure): boolean =>
  structure.sites.every((site) => site.species.length === 1 && site.species[0].occupancy === 1);

/**
 * The cell repeated `repeats` times along a, b and c. The sites of each cell follow each other, and the cell
 * index along c runs fastest.
 * @throws CrystalError `structure` for repeats that are not positive integers, `too-large`
 */
export function supercell(structure: Structure, repeats: readonly [number, number, number]): Structure {
  if (!repeats.every((repeat) => Number.isInteger(repeat) && repeat > 0))
    throw new CrystalError('structure', `supercell ${repeats.join(' × ')}: expected positive whole numbers`);
  const count = structure.sites.length * repeats[0] * repeats[1] * repeats[2];
  if (count > MAX_READ_SITES)
    throw new CrystalError(
      'too-large',
      `supercell ${repeats.join(' × ')} has ${count} sites: at most ${MAX_READ_SITES}`,
    );
  const [a, b, c] = structure.latticeVectors;
  const sites: Site[] = [];
  for (let i = 0; i < repeats[0]; i++)
    for (let j = 0; j < repeats[1]; j++)
      for (let k = 0; k < repeats[2]; k++)
        for (const site of structure.sites) {
          const [x, y, z] = site.fractionalCoords;
          const fractionalCoords: Vec3 = [(x + i) / repeats[0], (y + j) / repeats[1], (z + k) / repeats[2]];
          sites.push({ ...site, fractionalCoords });
        }
  return { latticeVectors: [scale3(a, repeats[0]), scale3(b, repeats[1]), scale3(c, repeats[2])], sites };
}
