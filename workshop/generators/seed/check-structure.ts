/**
 * What every generated structure has to satisfy before it is written.
 */
import {
  compositionOf,
  density,
  neighbourList,
  parseFormula,
  reducedFormula,
  type Structure,
} from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { analyzeSymmetry } from '@unitcell/symmetry';
import type { Compound } from './compound.ts';

/** Largest relative difference between the density of the cell and the stated one. */
export const DENSITY_TOLERANCE = 0.03;

/**
 * Two atoms may not be closer than this share of the sum of their covalent radii (Cordero 2008). The shortest
 * real contacts relative to it are metals with directional bonds (alpha-uranium, 0.70) and triple bonds (N2, 0.77).
 */
export const CONTACT_SHARE = 0.65;

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
  const found = density(structure);
  const excess = found / compound.density - 1;
  if (Math.abs(excess) > DENSITY_TOLERANCE)
    throw new Error(
      `the cell has ${found.toFixed(3)} g/cm³, ${(100 * excess).toFixed(1)} % off the stated ${compound.density} (${compound.densitySource}).`,
    );
}

/** Å, for elements without a tabulated covalent radius. */
const USUAL_RADIUS = 1;

function checkContacts(structure: Structure): void {
  const elements = structure.sites.map((site) => site.species[0].element);
  const radii = elements.map((element) => elementBySymbol(element).covalentRadius ?? USUAL_RADIUS);
  for (const [index, neighbours] of neighbourList(
    structure,
    2 * CONTACT_SHARE * Math.max(...radii),
  ).entries())
    for (const { site, distance } of neighbours)
      if (distance < CONTACT_SHARE * (radii[index] + radii[site]))
        throw new Error(
          `${elements[index]} and ${elements[site]} are ${distance.toFixed(3)} Å apart, too close.`,
        );
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
