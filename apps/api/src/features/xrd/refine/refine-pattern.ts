/** The slow steps of a refinement. They are pure and run in worker threads. */
import {
  cellVolume,
  type CompactCell,
  compositionOf,
  CrystalError,
  displayFormula,
  fromCompactCell,
  type LatticeParameters,
  latticeParameters,
  readCif,
  type Structure,
  withNaturalHydrogen,
} from '@unitcell/crystal';
import {
  DiffractionError,
  refine,
  type RefinementHooks,
  type RefinementPhase,
  type RefinementRequest,
  type RefinementResult,
  startingStrain,
} from '@unitcell/diffraction';
import { type Mat3, scale3 } from '@unitcell/numerics';
import { analyzeSymmetry, SymmetryError } from '@unitcell/symmetry';
import { reasonMessage } from '../../../domain/query/query-text.ts';
import { AppError } from '../../../messages/app-error.ts';

/** A phase by a stored cell or by the text of a CIF. */
export interface PhaseRequest
  extends Pick<RefinementPhase, 'texture' | 'particleDiameterUm' | 'standardFraction'> {
  readonly label: string | undefined;
  readonly source: CompactCell | string;
  /** The refinement starts from a cell scaled by 1 + strain; undefined: the strain is found. */
  readonly strain: number | undefined;
}

export interface RefineWork extends Omit<RefinementRequest, 'phases'> {
  readonly phases: readonly PhaseRequest[];
  readonly control: SharedArrayBuffer;
  /** The refinement ends after this time with its best result so far. */
  readonly seconds: number;
}

/** Structure and symmetry of a phase before the refinement. */
export interface StartingPhase {
  readonly formula: string;
  /** Empty when no group was found. */
  readonly spaceGroup: string;
  readonly cell: LatticeParameters & { readonly volume: number };
}

export interface Refined {
  readonly result: RefinementResult;
  readonly start: readonly StartingPhase[];
}

// Memory shared between the server and the thread of one refinement.

const [CYCLE, MAX_CYCLES, STOP] = [0, 1, 2];

export const newRefineControl = (): SharedArrayBuffer =>
  new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);

export const stopRefining = (control: SharedArrayBuffer): void =>
  void Atomics.store(new Int32Array(control), STOP, 1);

export const isStopped = (control: SharedArrayBuffer): boolean =>
  Atomics.load(new Int32Array(control), STOP) === 1;

/** Share of the allowed cycles that are done, 0 to 1. */
export function cyclesDone(control: SharedArrayBuffer): number {
  const [cycle = 0, most = 0] = new Int32Array(control);
  return most > 0 ? cycle / most : 0;
}

/** Å. Positions in a CIF are rounded to three or four digits. */
const SYMPREC = 0.01;

/**
 * Deuterium of a CIF is kept: it weighs twice as much as hydrogen and scatters neutrons with another sign.
 * @throws AppError xrd.refine.cif
 */
function structureOf(source: CompactCell | string, number: number): Structure {
  if (typeof source !== 'string') return fromCompactCell(source);
  try {
    return readCif(source, { keepsDeuterium: true }).structures[0]!.structure;
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('xrd.refine.cif', { number, reason: reasonMessage(error) });
  }
}

/** The space group of the structure. If it is undefined, only the metric restrains the cell. */
function symmetryOf(structure: Structure) {
  try {
    return analyzeSymmetry(structure, { symprec: SYMPREC });
  } catch (error) {
    if (!(error instanceof SymmetryError)) throw error;
    return undefined;
  }
}

const scaled = ([a, b, c]: Mat3, factor: number): Mat3 => [
  scale3(a, factor),
  scale3(b, factor),
  scale3(c, factor),
];

/**
 * Prepares one phase: `refined` has the symmetry and the strained cell, `start` describes the original phase.
 * @param number number of the phase in messages
 * @param measured pattern from which the strain is estimated if the request states none
 * @throws AppError xrd.refine.cif
 */
export function preparedPhase(
  { source, strain, label, ...phase }: PhaseRequest,
  number: number,
  measured?: Pick<RefineWork, 'pattern' | 'radiation' | 'probe'>,
): { readonly refined: RefinementPhase; readonly start: StartingPhase } {
  const structure = structureOf(source, number);
  const natural = withNaturalHydrogen(structure);
  const startsAt = strain ?? (measured ? strainIn(structure, measured) : 0);
  const symmetry = symmetryOf(natural);
  const formula = displayFormula(compositionOf(natural));
  const rotations = symmetry?.operations.map(({ rotation }) => rotation);
  const refined: RefinementPhase = {
    ...phase,
    label: label ?? formula,
    structure: { ...structure, latticeVectors: scaled(structure.latticeVectors, 1 + startsAt) },
    strain: startsAt,
    ...(rotations ? { symmetryRotations: rotations } : {}),
  };
  const start: StartingPhase = {
    formula,
    spaceGroup: symmetry?.spaceGroup.symbol ?? '',
    cell: { ...latticeParameters(structure.latticeVectors), volume: cellVolume(structure.latticeVectors) },
  };
  return { refined, start };
}

const strainIn = (
  structure: Structure,
  {
    pattern: { twoThetaDeg, intensities },
    radiation,
    probe,
  }: Pick<RefineWork, 'pattern' | 'radiation' | 'probe'>,
): number => startingStrain(structure, { x: twoThetaDeg, y: intensities }, radiation[0]!.wavelength, probe);

/** A cell with too many reflections cannot be refined; all other errors of the package are mapped elsewhere. */
export function refinePattern(work: RefineWork): Refined {
  try {
    return refineWithin(work);
  } catch (error) {
    if (error instanceof DiffractionError && error.code === 'too-many-reflections')
      throw new AppError('xrd.refine.impossible', {
        reason: { key: 'xrd.refine.reason.too-many-reflections' },
      });
    throw error;
  }
}

/** @throws AppError xrd.refine.cif; the DiffractionErrors of `refine` */
function refineWithin({ phases, control, seconds, ...request }: RefineWork): Refined {
  const flags = new Int32Array(control);
  const all = phases.map((phase, index) => preparedPhase(phase, index + 1, request));
  const result = refine(
    { ...request, phases: all.map(({ refined }) => refined) },
    {
      ...hooksOf({ control, seconds }),
      progress({ cycle, maxCycles }) {
        Atomics.store(flags, CYCLE, cycle);
        Atomics.store(flags, MAX_CYCLES, maxCycles);
      },
    },
  );
  return { result, start: all.map(({ start }) => start) };
}

/** Stops a refinement when it is cancelled, or after `seconds` with the best result so far. */
export function hooksOf({ control, seconds }: Pick<RefineWork, 'control' | 'seconds'>): RefinementHooks {
  const end = performance.now() + 1000 * seconds;
  return { cancelled: () => isStopped(control), outOfTime: () => performance.now() > end };
}
