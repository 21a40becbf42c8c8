/** Expands the asymmetric unit to the conventional cell, and validates the result before it is written. */
import {
  applySymmetryOperation,
  compositionOf,
  density,
  findSettingsByNumber,
  latticeVectorsFromParameters,
  operationsFromHallSymbol,
  neighbourList,
  orderedSite,
  parseFormula,
  reducedFormula,
  type Site,
  type Structure,
  type SymmetryOperation,
} from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { type Mat3, norm3, roundTo, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { analyzeSymmetry } from '@unitcell/symmetry';
import type { AsymmetricSite, Compound } from './compound.ts';

/** Å. Images of a site closer than this are one atom: published coordinates are rounded to 1e-3 … 1e-5 of the cell. */
export const SAME_ATOM_DISTANCE_ANGSTROM = 0.03;

/** Decimals kept in lattice vectors (Å) and fractional coordinates. */
const DECIMALS = 6;

const round = (value: number): number => roundTo(value, DECIMALS);

/** Operations of a space group in the first of Hall's settings: origin 1, hexagonal axes. */
export function operationsOf(spaceGroupNumber: number): readonly SymmetryOperation[] {
  const [first] = [...findSettingsByNumber(spaceGroupNumber)].sort(
    (one, other) => one.hallNumber - other.hallNumber,
  );
  if (first === undefined) throw new Error(`there is no space group ${spaceGroupNumber}.`);
  return operationsFromHallSymbol(first.hallSymbol);
}

/** Shortest difference modulo lattice translations by rounding, valid for nearly coincident points. */
const difference = (p: Vec3, q: Vec3): Vec3 => {
  const along = (k: 0 | 1 | 2): number => p[k] - q[k] - Math.round(p[k] - q[k]);
  return [along(0), along(1), along(2)];
};

const coincide = (p: Vec3, q: Vec3, lattice: Mat3): boolean =>
  norm3(rowTimesMatrix3(difference(p, q), lattice)) < SAME_ATOM_DISTANCE_ANGSTROM;

/** The point with the full site symmetry nearest to `p`: the mean of its images that coincide with it. */
function ontoSpecialPosition(p: Vec3, operations: readonly SymmetryOperation[], lattice: Mat3): Vec3 {
  const shifts = operations.map((operation) => difference(applySymmetryOperation(operation, p), p));
  const own = shifts.filter((shift) => norm3(rowTimesMatrix3(shift, lattice)) < SAME_ATOM_DISTANCE_ANGSTROM);
  const mean = (k: 0 | 1 | 2): number => p[k] + own.reduce((sum, shift) => sum + shift[k], 0) / own.length;
  return [mean(0), mean(1), mean(2)];
}

const wrap = (x: number): number => {
  const inside = round(x - Math.floor(x));
  return inside >= 1 ? 0 : inside;
};

/** The atoms of one orbit, in the order of the operations. */
function orbitOf(
  site: AsymmetricSite,
  operations: readonly SymmetryOperation[],
  lattice: Mat3,
): readonly Site[] {
  const first = ontoSpecialPosition(site.position, operations, lattice);
  const images: Vec3[] = [];
  for (const operation of operations) {
    const image = applySymmetryOperation(operation, first);
    if (!images.some((other) => coincide(image, other, lattice))) images.push(image);
  }
  const multiplicity = Number.parseInt(site.wyckoff, 10);
  if (images.length !== multiplicity)
    throw new Error(
      `${site.element} ${site.wyckoff} at ${site.position.join(' ')} gives ${images.length} atoms, but the position is stated to hold ${multiplicity}.`,
    );
  return images.map((image) => orderedSite(site.element, [wrap(image[0]), wrap(image[1]), wrap(image[2])]));
}

/** The conventional cell, a along x and b in the xy plane. @throws Error when a multiplicity is wrong */
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

/** Largest relative difference between the density of the cell and the stated density. */
const DENSITY_TOLERANCE = 0.03;

/**
 * Smallest distance of two atoms as a share of the sum of their covalent radii (Cordero 2008). The shortest
 * real contacts are metals with directional bonds (alpha-uranium, 0.70) and triple bonds (N2, 0.77).
 */
const CONTACT_SHARE = 0.65;

/** Å, for elements without a tabulated covalent radius. */
const USUAL_RADIUS = 1;

function checkContacts(structure: Structure): void {
  const elements = structure.sites.map((site) => site.species[0].element);
  const radii = elements.map((element) => elementBySymbol(element).covalentRadius ?? USUAL_RADIUS);
  const reach = 2 * CONTACT_SHARE * Math.max(...radii);
  for (const [index, neighbours] of neighbourList(structure, reach).entries())
    for (const { site, distance } of neighbours)
      if (distance < CONTACT_SHARE * (radii[index] + radii[site]))
        throw new Error(
          `${elements[index]} and ${elements[site]} are ${distance.toFixed(3)} Å apart, too close.`,
        );
}

/** Checks composition, space group, density and contacts. @throws Error with the found and the expected value */
export function checkStructure(compound: Compound, structure: Structure): void {
  const found = reducedFormula(compositionOf(structure));
  const stated = reducedFormula(parseFormula(compound.formula));
  if (found !== stated) throw new Error(`the cell holds ${found}, but the row says ${stated}.`);
  const { spaceGroup } = analyzeSymmetry(structure);
  const group = `${spaceGroup.number} ${spaceGroup.symbol}`;
  const statedGroup = `${compound.spaceGroupNumber} ${compound.spaceGroupSymbol}`;
  if (group !== statedGroup)
    throw new Error(`the structure has space group ${group}, but the row says ${statedGroup}.`);
  const grams = density(structure);
  const excess = grams / compound.density - 1;
  if (Math.abs(excess) > DENSITY_TOLERANCE)
    throw new Error(
      `the cell has ${grams.toFixed(3)} g/cm³, ${(100 * excess).toFixed(1)} % off the stated ${compound.density} (${compound.densitySource}).`,
    );
  checkContacts(structure);
}
