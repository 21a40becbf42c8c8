/**
 * Converts a draft to its stored form: symmetry, the original and the idealised cells, formulas, chemical system,
 * powder pattern. Pure and slow (milliseconds per crystal), so it runs in worker threads.
 */
import { createHash } from 'node:crypto';
import {
  anonymousFormula,
  atomCount,
  chemicalSystem,
  compositionOf,
  density,
  displayFormula,
  isOrdered,
  minimumDistance,
  reducedFormula,
  SMALLEST_DISTANCE,
  type Structure,
} from '@unitcell/crystal';
import { packedPatternOf } from '@unitcell/diffraction';
import { isElementSymbol } from '@unitcell/elements';
import {
  densityOfCells,
  type EnergyFieldName,
  type EnergyOnScale,
  figure,
  type MaterialDraft,
  type Properties,
  propertyFlags,
  type Scalars,
  scaledToCell,
} from '@unitcell/material';
import { type CatalogueCells, catalogueCells, SymmetryError } from '@unitcell/symmetry';
import { RefusedUnit } from './import/draft/refused-unit.ts';
import {
  arrangeCell,
  cellScalars,
  type StoredArrangement,
  type StoredCells,
  storedCells,
} from './data-migrations/migrate-cells.ts';
import { tensorsOfDraft } from './tensors-of-draft.ts';

/**
 * eV/atom. Values of 110,781 compounds of the Materials Project lie between −4.6 (fluorides) and 4.4. A value
 * outside these limits has another unit (kJ/mol, Ry) or is per formula unit.
 */
const FORMATION_ENERGY_PER_ATOM = { least: -6, largest: 10 } as const;
/**
 * eV/atom. Total energies refer to free electrons and nuclei or cores; an all-electron energy of uranium is
 * −763,000.
 */
const MAX_ENERGY_PER_ATOM = 1_000_000;

/** A material as stored, without its id and without the energy scale it is shown on. */
export interface StandardMaterial extends Omit<Scalars, 'structId' | EnergyFieldName>, StoredCells {
  readonly structId: number | null;
  readonly energies: readonly EnergyOnScale[];
  readonly provenance: MaterialDraft['provenance'];
  /** Atoms of the primitive cell; a partially occupied site counts partially. */
  readonly nAtoms: number;
  /** Properties of the cell `given`. */
  readonly properties: Properties<'given'>;
  readonly pattern: Uint8Array;
  readonly arrangement: StoredArrangement;
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
  const { least, largest } = FORMATION_ENERGY_PER_ATOM;
  for (const { functional, energyPerAtom, formationEnergyPerAtom } of energies) {
    if (energyPerAtom !== null && !(Math.abs(energyPerAtom) < MAX_ENERGY_PER_ATOM))
      throw new RefusedUnit(`energy of ${functional} is ${energyPerAtom} eV/atom: check its unit`);
    if (
      formationEnergyPerAtom !== null &&
      !(formationEnergyPerAtom > least && formationEnergyPerAtom < largest)
    )
      throw new RefusedUnit(
        `formation energy of ${functional} is ${formationEnergyPerAtom} eV/atom, outside ${least} to ${largest}: expected eV per atom, not per formula unit, and not kJ/mol or Ry`,
      );
  }
}

function cellsOf(structure: Structure): CatalogueCells {
  try {
    return catalogueCells(structure);
  } catch (error) {
    throw error instanceof SymmetryError ? new RefusedUnit(`symmetry: ${error.message}`) : error;
  }
}

/**
 * Hash of the original coordinates and energies, rounded to file precision: so the same line always gives the
 * same hash.
 */
export function contentHashOf(draft: MaterialDraft): Buffer {
  const round = (value: number): number => Math.round(value * 1e6) / 1e6;
  const { bands, dos, phonons } = draft.properties;
  const canonical = {
    lattice: draft.structure.latticeVectors.flat().map(round),
    sites: draft.structure.sites.map(({ species, fractionalCoords }) => [
      species.map(({ element, occupancy }) => `${element}${round(occupancy)}`).join(),
      fractionalCoords.map((value) => round(value - Math.floor(value))),
    ]),
    energies: draft.energies.map((e) => [e.functional, e.energyPerAtom, e.formationEnergyPerAtom]),
    source: [draft.given.sourceName, draft.given.sourceId],
    // The hash includes functionals, because the same phonon files may be imported again with another
    // functional. Without energies it also tells bands from densities of states, which programs write to
    // separate documents.
    ...(phonons.length > 0 && { phonons: phonons.map(({ functional }) => functional) }),
    ...(draft.energies.length === 0 &&
      bands.length > 0 && { bands: bands.map(({ functional }) => functional) }),
    ...(draft.energies.length === 0 && dos.length > 0 && { dos: dos.map(({ functional }) => functional) }),
  };
  return createHash('sha256').update(JSON.stringify(canonical)).digest();
}

const OBSERVED = ['observed', 'computed only'] as const;

/** Whether the material was synthesised, if the source states it in a known form. */
export function observedOf({ observed }: MaterialDraft['provenance']): Scalars['observed'] {
  const status = typeof observed === 'object' && observed !== null && 'status' in observed && observed.status;
  return OBSERVED.find((known) => known === status) ?? null;
}

/**
 * @param isStored the material is in the catalogue already. Its energy is not checked, because an older version
 * may have accepted an energy that is refused now
 * @throws RefusedUnit when the structure is unphysical
 */
export function standardise(draft: MaterialDraft, isStored = false): StandardMaterial {
  const { structure } = draft;
  assertSensible(structure, isStored ? [] : draft.energies);
  const composition = compositionOf(structure);
  const shortest = isOrdered(structure) ? minimumDistance(structure) : Number.POSITIVE_INFINITY;
  if (shortest < SMALLEST_DISTANCE)
    throw new RefusedUnit(
      `two atoms are ${shortest.toFixed(3)} Å apart: at least ${SMALLEST_DISTANCE} Å is expected`,
    );
  const cells = cellsOf(structure);
  const { primitive } = cells;
  const given = cells.given.structure;
  const elements = Object.keys(composition).sort();
  const stored = storedCells(cells);
  const { tensors, scalars: tensorFields, left } = tensorsOfDraft(draft, cells);
  const properties = { ...draft.properties, tensors };
  return {
    ...scaledToCell(draft.given, primitive.sites.length / structure.sites.length),
    ...propertyFlags(properties),
    ...tensorFields,
    structId: draft.structId,
    formula: displayFormula(composition),
    formulaReduced: reducedFormula(composition),
    formulaAnonymous: anonymousFormula(composition),
    chemicalSystem: chemicalSystem(composition),
    elements,
    nElements: elements.length,
    nAtoms: atomCount(compositionOf(primitive)),
    ...cellScalars(cells),
    density: figure(density(given), 'g/cm³'),
    observed: observedOf(draft.provenance),
    energies: draft.energies,
    provenance: { ...draft.provenance, ...(left === null ? {} : { tensors_left_out: left }) },
    properties: {
      ...properties,
      dos: draft.properties.dos.map((dos) => densityOfCells(dos, 1 / cells.given.fold)),
    },
    ...stored,
    pattern: packedPatternOf(given, { symmetryRotations: cells.givenRotations }),
    arrangement: arrangeCell({ ...stored, spaceGroupNumber: cells.idealised.spaceGroup.number }),
    contentHash: contentHashOf(draft),
  };
}
