/** Atoms of a crystal in a phonon mode at a moment. */
import { type Structure, supercell } from '@unitcell/crystal';
import { add3, dot3, inverse3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';

/** Longest period of a wave that is drawn completely, in cells along an axis. */
const LONGEST_PERIOD = 4;
const MOST_ATOMS = 96;

/** The smallest block of cells that holds whole waves; two cells along axes where a wave has no short period. */
export function cellsOfWave(q: readonly number[], atoms: number): readonly [number, number, number] {
  const periodOf = (fraction: number): number => {
    for (let cells = 1; cells <= LONGEST_PERIOD; cells++)
      if (Math.abs(fraction * cells - Math.round(fraction * cells)) < 1e-3) return cells;
    return 2;
  };
  const [x, y, z] = [periodOf(q[0] ?? 0), periodOf(q[1] ?? 0), periodOf(q[2] ?? 0)];
  return atoms * x * y * z <= MOST_ATOMS ? [x, y, z] : [1, 1, 1];
}

/**
 * A function of the phase (0 to 2π) that gives the block of cells with its atoms displaced.
 * @param displacements per atom of the cell: real parts of x, y, z, then imaginary parts; the largest is 1
 * @param amplitude Å, of the atom that moves most
 */
export function modeMotion(
  structure: Structure,
  q: readonly number[],
  displacements: readonly (readonly number[])[],
  amplitude: number,
): (phase: number) => Structure {
  const atoms = structure.sites.length;
  const repeats = cellsOfWave(q, atoms);
  const large = supercell(structure, repeats);
  const toFractional = inverse3(large.latticeVectors);
  const wave: Vec3 = [q[0] ?? 0, q[1] ?? 0, q[2] ?? 0];
  return (phase) => ({
    ...large,
    sites: large.sites.map((site, index) => {
      const [cell, atom] = [Math.floor(index / atoms), index % atoms];
      const translation: Vec3 = [
        Math.floor(cell / (repeats[1] * repeats[2])),
        Math.floor(cell / repeats[2]) % repeats[1],
        cell % repeats[2],
      ];
      const angle = 2 * Math.PI * dot3(wave, translation) - phase;
      const own = displacements[atom] ?? [];
      const along = (axis: number): number =>
        amplitude * ((own[axis] ?? 0) * Math.cos(angle) - (own[axis + 3] ?? 0) * Math.sin(angle));
      const moved = rowTimesMatrix3([along(0), along(1), along(2)], toFractional);
      return { ...site, fractionalCoords: add3(site.fractionalCoords, moved) };
    }),
  });
}
