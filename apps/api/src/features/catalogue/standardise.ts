/**
 * Draft → what the database stores: symmetry, standard cells, formulas, chemical system, powder pattern.
 * Pure and slow (milliseconds a crystal): it runs in worker threads.
 */
import { createHash } from 'node:crypto';
import {
  anonymousFormula,
  cellVolume,
  chemicalSystem,
  type CompactCell,
  compositionOf,
  density,
  displayFormula,
  isOrdered,
  minimumDistance,
  reducedFormula,
  type Structure,
  toCompactCell,
} from '@unitcell/crystal';
import { packedPatternOf } from '@unitcell/diffraction';
import { isElementSymbol } from '@unitcell/elements';
import { analyzeSymmetry, type SymmetryDataset, SymmetryError } from '@unitcell/symmetry';
import {
  type DraftProperties,
  type EnergyOnScale,
  type MaterialDraft,
  RefusedUnit,
} from './draft/material-draft.ts';

/** Å. Computed cells carry noise of this size; the Materials Project uses the same value. */
export const CATALOGUE_SYMPREC = 0.1;
/** Å. Tried when the structure is too distorted for the tolerance above to give a group. */
export const FALLBACK_SYMPREC = 0.01;
/** Å. Closer atoms are a mistake of the file: the shortest bond there is, in H2, has 0.74 Å. */
export const MINIMUM_DISTANCE = 0.5;
/** eV/atom. No crystal binds or is unbound this strongly; larger values are in the wrong unit. */
const MAX_FORMATION_ENERGY_PER_ATOM = 1000;
/** eV/atom. Total energies count from free electrons and nuclei or cores: all electrons of uranium come to 763,000. */
const MAX_ENERGY_PER_ATOM = 1_000_000;

export interface StandardMaterial {
  readonly structId: number | null;
  readonly formula: string;
  readonly formulaReduced: string;
  readonly formulaAnonymous: string;
  readonly chemicalSystem: string;
  readonly elements: readonly string[];
  readonly nSites: number;
  readonly spaceGroupNumber: number;
  readonly spaceGroup: string;
  readonly hall: string;
  readonly pointGroup: string;
  readonly crystalSystem: string;
  readonly latticeType: string;
  readonly volume: number;
  readonly density: number;
  readonly energies: readonly EnergyOnScale[];
  readonly bandGap: number | null;
  readonly bandGapType: string | null;
  readonly fermiEnergy: number | null;
  readonly totalMagnetization: number | null;
  readonly isHubbard: boolean;
  readonly names: MaterialDraft['names'];
  readonly source: MaterialDraft['source'];
  readonly provenance: MaterialDraft['provenance'];
  readonly properties: DraftProperties;
  readonly primitive: CompactCell;
  readonly conventional: CompactCell;
  readonly wyckoffs: readonly string[];
  readonly symprec: number;
  readonly pattern: Uint8Array;
  readonly contentHash: Uint8Array;
}

function assertSensible(structure: Structure, energies: readonly EnergyOnScale[]): void {
  for (const [index, site] of structure.sites.entries()) {
    for (const { element, occupancy } of site.species) {
      if (!isElementSymbol(element))
        throw new RefusedUnit(`site ${index + 1}: ${JSON.stringify(element)} is not an element`);
      if (!(occupancy > 0 && occupancy <= 1.0001))
        throw new RefusedUnit(`site ${index + 1}: occupancy ${occupancy} is not between 0 and 1`);
    }
  }
  for (const { functional, energyPerAtom, formationEnergyPerAtom } of energies)
    for (const [energy, limit] of [
      [energyPerAtom, MAX_ENERGY_PER_ATOM],
      [formationEnergyPerAtom, MAX_FORMATION_ENERGY_PER_ATOM],
    ] as const)
      if (energy !== null && !(Math.abs(energy) < limit))
        throw new RefusedUnit(`energy of ${functional} is ${energy} eV/atom: check its unit`);
}

function symmetryOf(structure: Structure): SymmetryDataset {
  try {
    return analyzeSymmetry(structure, { symprec: CATALOGUE_SYMPREC });
  } catch (error) {
    if (!(error instanceof SymmetryError)) throw error;
    try {
      return analyzeSymmetry(structure, { symprec: FALLBACK_SYMPREC });
    } catch (second) {
      throw second instanceof SymmetryError ? new RefusedUnit(`symmetry: ${second.message}`) : second;
    }
  }
}

/** Coordinates and energies as they came, rounded to what files carry: the same line twice gives the same hash. */
function hashOf(draft: MaterialDraft): Buffer {
  const round = (value: number): number => Math.round(value * 1e6) / 1e6;
  const canonical = {
    lattice: draft.structure.latticeVectors.flat().map(round),
    sites: draft.structure.sites.map(({ species, fractionalCoords }) => [
      species.map(({ element, occupancy }) => `${element}${round(occupancy)}`).join(),
      fractionalCoords.map((value) => round(value - Math.floor(value))),
    ]),
    energies: draft.energies.map((e) => [e.functional, e.energyPerAtom, e.formationEnergyPerAtom]),
    source: [draft.source.name, draft.source.id],
  };
  return createHash('sha256').update(JSON.stringify(canonical)).digest();
}

/** @throws RefusedUnit when the structure makes no sense */
export function standardise(draft: MaterialDraft): StandardMaterial {
  const { structure } = draft;
  assertSensible(structure, draft.energies);
  const composition = compositionOf(structure);
  const shortest = isOrdered(structure) ? minimumDistance(structure) : Number.POSITIVE_INFINITY;
  if (shortest < MINIMUM_DISTANCE)
    throw new RefusedUnit(
      `two atoms are ${shortest.toFixed(3)} Å apart: at least ${MINIMUM_DISTANCE} Å is expected`,
    );
  const symmetry = symmetryOf(structure);
  const { primitiveCell, standardizedCell } = symmetry;
  const cellsPerGiven = primitiveCell.sites.length / structure.sites.length;
  return {
    structId: draft.structId,
    formula: displayFormula(composition),
    formulaReduced: reducedFormula(composition),
    formulaAnonymous: anonymousFormula(composition),
    chemicalSystem: chemicalSystem(composition),
    elements: Object.keys(composition).sort(),
    nSites: primitiveCell.sites.length,
    spaceGroupNumber: symmetry.spaceGroup.number,
    spaceGroup: symmetry.spaceGroup.symbol,
    hall: symmetry.spaceGroup.hallSymbol,
    pointGroup: symmetry.pointGroup,
    crystalSystem: symmetry.crystalSystem,
    latticeType: symmetry.latticeType,
    volume: cellVolume(primitiveCell.latticeVectors),
    density: density(primitiveCell),
    energies: draft.energies,
    bandGap: draft.bandGap,
    bandGapType: draft.bandGapType,
    fermiEnergy: draft.fermiEnergy,
    totalMagnetization: draft.totalMagnetization === null ? null : draft.totalMagnetization * cellsPerGiven,
    isHubbard: draft.isHubbard,
    names: draft.names,
    source: draft.source,
    provenance: draft.provenance,
    properties: draft.properties,
    primitive: toCompactCell(primitiveCell),
    conventional: toCompactCell(standardizedCell),
    wyckoffs: wyckoffsOf(standardizedCell, symmetry),
    symprec: symmetry.symprec,
    pattern: packedPatternOf(primitiveCell),
    contentHash: hashOf(draft),
  };
}

/** Letters of the conventional cell's sites: found on the cell itself, whose sites are in an order of its own. */
function wyckoffsOf(conventional: Structure, symmetry: SymmetryDataset): readonly string[] {
  return conventional.sites.length === symmetry.wyckoffs.length
    ? symmetry.wyckoffs
    : analyzeSymmetry(conventional, { symprec: symmetry.symprec }).wyckoffs;
}
