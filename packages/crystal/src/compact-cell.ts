/** A structure as flat JSON for storage and transport: a third of the size of nested objects. */
import type { Species, Structure } from './structure.ts';

export interface CompactCell {
  /** Nine numbers: the rows a, b, c in Å. */
  readonly lattice: readonly number[];
  /** Per site `Li`, or `[["Li", 0.5], ["Na", 0.5]]` where it is shared or partly empty. */
  readonly species: readonly (string | readonly (readonly [string, number])[])[];
  /** Three fractional coordinates per site. */
  readonly coords: readonly number[];
}

/** Digits after the point: 1e-8 of a cell edge is far below any tolerance used on it. */
const round = (value: number): number => Math.round(value * 1e8) / 1e8;

export const toCompactCell = (structure: Structure): CompactCell => ({
  lattice: structure.latticeVectors.flat().map(round),
  species: structure.sites.map(({ species }) =>
    species.length === 1 && species[0].occupancy === 1
      ? species[0].element
      : species.map(({ element, occupancy }): [string, number] => [element, occupancy]),
  ),
  coords: structure.sites.flatMap((site) => site.fractionalCoords.map(round)),
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
