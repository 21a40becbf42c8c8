/**
 * Mass density of a crystal.
 */
import { GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM } from '@unitcell/elements';
import { compositionOf, molarMass } from './composition.ts';
import { cellVolume } from './lattice.ts';
import type { Structure } from './structure.ts';

/**
 * Density in g/cm³: the mass of the cell's atoms, weighted with their occupancies, over its volume.
 * @example density(sodiumChloride) // 2.16
 */
export const density = (structure: Structure): number =>
  (molarMass(compositionOf(structure)) / cellVolume(structure.latticeVectors)) *
  GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM;
