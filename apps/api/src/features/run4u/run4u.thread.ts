/** Worker thread: reads uploaded structures and finds similar stored ones. */
import { MAX_RUN_ATOMS, type ShownStructure } from '@unitcell/contract/run4u';
import {
  cellVolume,
  type CompactCell,
  compositionOf,
  CrystalError,
  displayFormula,
  fromCompactCell,
  fromPymatgenDict,
  latticeParameters,
  minimumDistance,
  readStructureText,
  reducedFormula,
  SMALLEST_DISTANCE,
  type Structure,
  toCompactCell,
  toPymatgenDict,
  writeCif,
} from '@unitcell/crystal';
import { analyzeSymmetry, matchStructures, SymmetryError } from '@unitcell/symmetry';
import { reasonMessage } from '../../domain/query/query-text.ts';
import { type ExistingMaterial, mostSimilar, type StoredCell } from '../../domain/same-crystal.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Note } from '../../messages/messages.ts';

// Reads the bytes of a file as a structure that can be calculated, or an error with the reason.

/** Å. The shown symmetry is that of the structure in the file, not of an idealised cell. */
export const UPLOAD_SYMPREC = 0.01;

export interface CheckedStructure {
  readonly shown: ShownStructure;
  readonly formulaReduced: string;
  readonly cell: CompactCell;
  /** Atoms of the primitive cell, which is the calculated cell. */
  readonly primitiveSites: number;
  readonly warnings: readonly Note[];
}

/** The description of a structure shown on the page. @throws SymmetryError */
export function showStructure(structure: Structure): ShownStructure {
  const composition = compositionOf(structure);
  const { spaceGroup, pointGroup, crystalSystem } = analyzeSymmetry(structure, { symprec: UPLOAD_SYMPREC });
  return {
    formula: displayFormula(composition),
    nsites: structure.sites.length,
    script: writeCif(structure, { name: reducedFormula(composition) }),
    lattice: {
      ...latticeParameters(structure.latticeVectors),
      volume: cellVolume(structure.latticeVectors),
    },
    symmetry: {
      hall: spaceGroup.hallSymbol,
      spacegroup: spaceGroup.symbol,
      pointgroup: pointGroup,
      crystal_system: crystalSystem,
    },
    structure: toPymatgenDict(structure),
  };
}

/** @throws AppError run4u.too-many-atoms, run4u.partly-occupied, run4u.overlap, run4u.symmetry-failed */
function check(structure: Structure, warnings: readonly Note[]): CheckedStructure {
  if (structure.sites.length > MAX_RUN_ATOMS)
    throw new AppError('run4u.too-many-atoms', { limit: MAX_RUN_ATOMS }, { error_code: '01' });
  const partly = structure.sites.findIndex(
    ({ species }) => species.length !== 1 || species[0]!.occupancy !== 1,
  );
  if (partly >= 0) {
    const { label, species } = structure.sites[partly]!;
    const content = species.map(({ element, occupancy }) => `${element} ${Number(occupancy.toFixed(3))}`);
    throw new AppError('run4u.partly-occupied', { site: label ?? partly + 1, content: content.join(', ') });
  }
  const shortest = minimumDistance(structure);
  if (shortest < SMALLEST_DISTANCE)
    throw new AppError('run4u.overlap', { distance: shortest.toFixed(3), minimum: SMALLEST_DISTANCE });
  try {
    return {
      shown: showStructure(structure),
      formulaReduced: reducedFormula(compositionOf(structure)),
      cell: toCompactCell(structure),
      primitiveSites: analyzeSymmetry(structure, { symprec: UPLOAD_SYMPREC }).primitiveCell.sites.length,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof SymmetryError)) throw error;
    throw new AppError('run4u.symmetry-failed', { reason: reasonMessage(error) });
  }
}

const unreadable = (error: unknown): unknown =>
  error instanceof CrystalError ? new AppError('run4u.unreadable', { reason: reasonMessage(error) }) : error;

/** Reads a CIF or POSCAR; null when the text is neither. @throws AppError run4u.unreadable, errors of `check` */
export function readUpload(file: { readonly text: string; readonly name: string }): CheckedStructure | null {
  if (file.text.includes('\u0000')) return null;
  try {
    const { structures } = readStructureText(file.text, file.name);
    const { structure, notices } = structures[0]!;
    const others = structures.length - 1;
    return check(structure, [
      ...(others > 0 ? [['run4u.note.others', { count: others }] as const] : []),
      ...notices.map(
        ({ code, message, parameters }) => [`read.${code}`, { ...parameters, message }] as const,
      ),
    ]);
  } catch (error) {
    if (error instanceof CrystalError && error.code === 'format') return null;
    throw unreadable(error);
  }
}

/** Checks a structure sent back by a client. @throws AppError run4u.unreadable, errors of `check` */
export function checkStructure(json: unknown): CheckedStructure {
  try {
    return check(fromPymatgenDict(json), []);
  } catch (error) {
    throw unreadable(error);
  }
}

/** The description of a stored cell shown on the page. */
export const showCell = (cell: CompactCell): ShownStructure => showStructure(fromCompactCell(cell));

// Finds whether a crystal is already in the database. Structures are compared, not formulas.

export interface ExistingRequest {
  readonly cell: CompactCell;
  /** Stored materials of the same reduced formula, best first. */
  readonly candidates: readonly StoredCell[];
}

/** The most similar stored material within the matcher's default tolerances. */
export const findExisting = ({ cell, candidates }: ExistingRequest): ExistingMaterial | null =>
  mostSimilar(fromCompactCell(cell), candidates);

/** Distance of two cells; null when they are different crystals. */
export const rmsBetween = ({ a, b }: { readonly a: CompactCell; readonly b: CompactCell }): number | null =>
  matchStructures(fromCompactCell(a), fromCompactCell(b))?.rms ?? null;
