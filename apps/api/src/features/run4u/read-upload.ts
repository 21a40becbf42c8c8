/** From the bytes of a file to a structure that can be run, or the reason why not. Runs in a worker thread. */
import { MAX_RUN_ATOMS, type ShownStructure, type StructureJson } from '@unitcell/contract';
import {
  cellVolume,
  type CompactCell,
  compositionOf,
  CrystalError,
  displayFormula,
  fromPymatgenDict,
  latticeParameters,
  minimumDistance,
  readStructureText,
  reducedFormula,
  type Structure,
  toCompactCell,
  toPymatgenDict,
  writeCif,
} from '@unitcell/crystal';
import { analyzeSymmetry, SymmetryError } from '@unitcell/symmetry';
import type { MessageParameters } from '../../messages/messages.ts';
import { reasonMessage } from '../../plugins/reason-message.ts';

/** Å. Closer atoms are a mistake of the file: the shortest bond there is, in H2, has 0.74 Å. */
export const MINIMUM_DISTANCE = 0.5;
/** Å. The symmetry shown is that of the file as it is, not of a cell idealised to more. */
export const UPLOAD_SYMPREC = 0.01;

/** Why a structure is refused; the key of its message without `run4u.`. */
export type RefusalCode =
  | 'bad-format'
  | 'unreadable'
  | 'too-many-atoms'
  | 'partly-occupied'
  | 'overlap'
  | 'symmetry-failed';

export interface Refusal {
  readonly isRefused: true;
  readonly reason: RefusalCode;
  readonly parameters: MessageParameters;
}

export interface CheckedStructure {
  readonly isRefused: false;
  readonly shown: ShownStructure;
  readonly formulaReduced: string;
  readonly cell: CompactCell;
  /** Atoms of the primitive cell: what is calculated. */
  readonly primitiveSites: number;
  readonly warnings: readonly string[];
}

const refuse = (reason: RefusalCode, parameters: MessageParameters = {}): Refusal => ({
  isRefused: true,
  reason,
  parameters,
});

/** What the page shows of a structure. @throws SymmetryError */
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
    structure: toPymatgenDict({
      ...structure,
      sites: structure.sites.map(({ species, fractionalCoords }) => ({ species, fractionalCoords })),
    }) as unknown as StructureJson,
  };
}

function check(structure: Structure, warnings: readonly string[]): CheckedStructure | Refusal {
  if (structure.sites.length > MAX_RUN_ATOMS) return refuse('too-many-atoms', { limit: MAX_RUN_ATOMS });
  const partly = structure.sites.findIndex(
    ({ species }) => species.length !== 1 || species[0]!.occupancy !== 1,
  );
  if (partly >= 0) {
    const { label, species } = structure.sites[partly]!;
    const content = species.map(({ element, occupancy }) => `${element} ${Number(occupancy.toFixed(3))}`);
    return refuse('partly-occupied', { site: label ?? partly + 1, content: content.join(', ') });
  }
  const shortest = minimumDistance(structure);
  if (shortest < MINIMUM_DISTANCE)
    return refuse('overlap', { distance: shortest.toFixed(3), minimum: MINIMUM_DISTANCE });
  try {
    return {
      isRefused: false,
      shown: showStructure(structure),
      formulaReduced: reducedFormula(compositionOf(structure)),
      cell: toCompactCell(structure),
      primitiveSites: analyzeSymmetry(structure, { symprec: UPLOAD_SYMPREC }).primitiveCell.sites.length,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof SymmetryError)) throw error;
    return refuse('symmetry-failed', { reason: reasonMessage(error) });
  }
}

/** Reads a CIF or POSCAR. */
export function readUpload(file: {
  readonly text: string;
  readonly name: string;
}): CheckedStructure | Refusal {
  if (file.text.includes('\u0000')) return refuse('bad-format');
  try {
    const { structures } = readStructureText(file.text, file.name);
    const { structure, warnings } = structures[0]!;
    const others = structures.length - 1;
    return check(structure, [
      ...(others > 0 ? [`The file has ${others} more structures; the first one is used.`] : []),
      ...warnings,
    ]);
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    return error.code === 'format'
      ? refuse('bad-format')
      : refuse('unreadable', { reason: reasonMessage(error) });
  }
}

/** Checks a structure that came back from a client. */
export function checkStructure(json: unknown): CheckedStructure | Refusal {
  try {
    return check(fromPymatgenDict(json), []);
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    return refuse('unreadable', { reason: reasonMessage(error) });
  }
}
