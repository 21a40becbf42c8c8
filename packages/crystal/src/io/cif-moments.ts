/**
 * Magnetic moments of a CIF (magnetic CIF dictionary, https://www.iucr.org/resources/cif/dictionaries/cif_mag; also what pymatgen
 * writes): components along the axes of the cell, μB.
 */
import { add3, dot3, type Mat3, norm3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';
import type { Site } from '../structure.ts';
import { type CifBlock, tableWith } from './cif-blocks.ts';
import { parseFileNumber, refuseAt, shown } from './text.ts';

/**
 * Largest component perpendicular to the common axis, as a share of the largest moment. Rounding to two decimals causes
 * such components.
 */
const ACROSS = 0.02;

/**
 * Signed lengths if all moments lie along one line; they are positive in the direction in which the largest
 * Cartesian component of the line is positive. Otherwise plain lengths.
 * @param moments Cartesian, in any unit, which is also the unit of the result; undefined if unknown
 */
export function signedMoments(moments: readonly (Vec3 | undefined)[]): readonly (number | undefined)[] {
  const longest = moments.reduce<Vec3>(
    (best, moment) => (moment && norm3(moment) > norm3(best) ? moment : best),
    [0, 0, 0],
  );
  const size = norm3(longest);
  if (size === 0) return moments.map((moment) => moment && 0);
  const lead = longest.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
  const axis = scale3(longest, Math.sign(lead) / size);
  const isCollinear = moments.every(
    (moment) => !moment || norm3(subtract3(moment, scale3(axis, dot3(moment, axis)))) <= ACROSS * size,
  );
  return moments.map((moment) => moment && (isCollinear ? dot3(moment, axis) : norm3(moment)));
}

const LABEL = '_atom_site_moment_label';
const COMPONENTS = [
  '_atom_site_moment_crystalaxis_x',
  '_atom_site_moment_crystalaxis_y',
  '_atom_site_moment_crystalaxis_z',
] as const;

function readVectors(text: string, block: CifBlock, axes: Mat3): ReadonlyMap<string, Vec3> {
  const table = tableWith(text, block, COMPONENTS);
  const vectors = new Map<string, Vec3>();
  if (!table) return vectors;
  for (let row = 0; row < table.rows; row++) {
    const label = table.value(row, LABEL)?.text;
    const values = COMPONENTS.map((tag) => table.value(row, tag));
    if (label === undefined || values.some((value) => value === undefined || /^[.?]$/.test(value.text)))
      continue;
    const parts = values.map((value, axis) => {
      const number = value && parseFileNumber(value.text.trim());
      if (value && number === undefined)
        refuseAt(text, value.offset, `${COMPONENTS[axis]} is "${shown(value.text)}"; expected a number`, {
          reason: 'cif-no-number',
          tag: COMPONENTS[axis],
          found: shown(value.text),
        });
      return scale3(axes[axis], (number ?? 0) / norm3(axes[axis]));
    });
    vectors.set(
      label,
      parts.reduce((sum, part) => add3(sum, part), [0, 0, 0] as Vec3),
    );
  }
  return vectors;
}

/**
 * The sites, with the moments that the block lists for their labels.
 * @param isListed true if the file lists every site. Otherwise symmetry may rotate the moments of the images,
 *   so only lengths are known
 * @throws CrystalError `cif` for a component that is not a number
 */
export function withMoments(
  text: string,
  block: CifBlock,
  axes: Mat3,
  sites: readonly Site[],
  isListed: boolean,
): readonly Site[] {
  const vectors = readVectors(text, block, axes);
  if (vectors.size === 0) return sites;
  const found = sites.map(({ label }) => (label === undefined ? undefined : vectors.get(label)));
  const moments = isListed ? signedMoments(found) : found.map((vector) => vector && norm3(vector));
  return sites.map((site, index) => {
    const moment = moments[index];
    return moment === undefined ? site : { ...site, moment };
  });
}
