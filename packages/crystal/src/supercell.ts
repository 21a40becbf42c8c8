/**
 * Supercells along the axes of a cell.
 */
import { scale3, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';
import { MAX_READ_SITES } from './io/limits.ts';
import type { Site, Structure } from './structure.ts';

/**
 * The cell repeated `repeats` times along a, b and c. Sites stay in order: all of the first cell, then those of the
 * next along c, b and a.
 * @throws CrystalError `structure` for repeats that are not positive whole numbers, `too-large`
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
