/**
 * What every generated structure has to satisfy before it is written.
 */
import {
  cellVolume,
  compositionOf,
  molarMass,
  parseFormula,
  reducedFormula,
  type Structure,
} from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { type Mat3, norm3, type Vec3 } from '@unitcell/numerics';
import { analyzeSymmetry } from '@unitcell/symmetry';
import type { Compound } from './compound.ts';

/** Largest relative difference between the density of the cell and the stated one. */
export const DENSITY_TOLERANCE = 0.03;

/**
 * Two atoms may not be closer than this share of the sum of their covalent radii (Cordero 2008). The shortest
 * real contacts relative to it are metals with directional bonds (alpha-uranium, 0.70) and triple bonds (N2, 0.77).
 */
export const CONTACT_SHARE = 0.65;

/** 1 u/Å³ in g/cm³ (CODATA 2018 atomic mass constant). */
const GRAMS_PER_CM3 = 1.6605390666;

/** g/cm³ of the cell as built. */
export const densityOf = (structure: Structure): number =>
  (molarMass(compositionOf(structure)) * GRAMS_PER_CM3) / cellVolume(structure.latticeVectors);

function checkComposition(compound: Compound, structure: Structure): void {
  const found = reducedFormula(compositionOf(structure));
  const stated = reducedFormula(parseFormula(compound.formula));
  if (found !== stated) throw new Error(`the cell holds ${found}, but the row says ${stated}.`);
}

function checkSpaceGroup(compound: Compound, structure: Structure): void {
  const { spaceGroup } = analyzeSymmetry(structure);
  if (spaceGroup.number !== compound.spaceGroupNumber || spaceGroup.symbol !== compound.spaceGroupSymbol)
    throw new Error(
      `the structure has space group ${spaceGroup.number} ${spaceGroup.symbol}, but the row says ${compound.spaceGroupNumber} ${compound.spaceGroupSymbol}.`,
    );
}

function checkDensity(compound: Compound, structure: Structure): void {
  const density = densityOf(structure);
  const excess = density / compound.density - 1;
  if (Math.abs(excess) > DENSITY_TOLERANCE)
    throw new Error(
      `the cell has ${density.toFixed(3)} g/cm³, ${(100 * excess).toFixed(1)} % off the stated ${compound.density} (${compound.densitySource}).`,
    );
}

/** Offsets of the 27 cells around and including the home cell. */
const NEIGHBOUR_CELLS: readonly Vec3[] = [-1, 0, 1].flatMap((i) =>
  [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((k): Vec3 => [i, j, k])),
);

function distance(from: Vec3, to: Vec3, offset: Vec3, lattice: Mat3): number {
  const d = [to[0] - from[0] + offset[0], to[1] - from[1] + offset[1], to[2] - from[2] + offset[2]] as const;
  const along = (k: 0 | 1 | 2): number => d[0] * lattice[0][k] + d[1] * lattice[1][k] + d[2] * lattice[2][k];
  return norm3([along(0), along(1), along(2)]);
}

function checkContacts(structure: Structure): void {
  const atoms = structure.sites.map((site) => {
    const element = site.species[0].element;
    return { element, radius: elementBySymbol(element).covalentRadius ?? 1, position: site.fractionalCoords };
  });
  for (const [index, one] of atoms.entries())
    for (const other of atoms.slice(index))
      for (const offset of NEIGHBOUR_CELLS) {
        const length = distance(one.position, other.position, offset, structure.latticeVectors);
        const isItself = one === other && offset.every((step) => step === 0);
        if (!isItself && length < CONTACT_SHARE * (one.radius + other.radius))
          throw new Error(`${one.element} and ${other.element} are ${length.toFixed(3)} Å apart, too close.`);
      }
}

/**
 * Checks composition, space group, density and contacts of a generated structure.
 * @throws Error with one sentence that says what was found and what was expected.
 */
export function checkStructure(compound: Compound, structure: Structure): void {
  checkComposition(compound, structure);
  checkSpaceGroup(compound, structure);
  checkDensity(compound, structure);
  checkContacts(structure);
}
