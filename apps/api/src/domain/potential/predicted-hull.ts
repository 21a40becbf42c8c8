/**
 * Energy above hull of a relaxed crystal. All energies come from the potential with the corrections of the
 * Materials Project (MP2020); energies of the elements come from a table. They are never compared with
 * first-principles energies.
 */
import type { PotentialHull } from '@unitcell/contract/run4u';
import {
  atomCount,
  type CompactCell,
  compositionOf,
  fromCompactCell,
  type Structure,
} from '@unitcell/crystal';
import { ScienceError } from '@unitcell/errors';
import { roundTo } from '@unitcell/numerics';
import { buildHull, energyAboveHull, mp2020Correction } from '@unitcell/phase-equilibria';
import { ELEMENTAL_ENERGIES, type Engine, relax } from '@unitcell/potential';
import { analyzeSymmetry, SymmetryError } from '@unitcell/symmetry';
import type { Note } from '../../messages/messages.ts';
import { competingPhases, toEntries } from '../thermodynamics/phase-hull.ts';
import { engineFor, operationsOf } from './calculate.ts';

/** eV/atom */
const HULL_ERROR = 0.03;
/** Limits of the relaxation, less strict than for the crystal itself: energies change by less than 1 meV/atom. */
const KNOWN_PHASE = { force: 0.01, stress: 5e-4, maxSteps: 100 } as const;
/** Number of cached phases. Phases are cached because a thread compares with the same phases many times. */
const MAX_REMEMBERED = 500;

/** A phase of the catalogue. */
export interface KnownPhase {
  readonly structId: number;
  readonly formula: string;
  /** null: the cell is too large to be relaxed in a prediction. */
  readonly cell: CompactCell | null;
}

const elementsOf = (structure: Structure): string[] => Object.keys(compositionOf(structure)).sort();

/** Formation energy from the elements, eV/atom, or the reason why there is none. */
export function formationEnergy(
  structure: Structure,
  energyPerAtom: number,
): { readonly value: number } | { readonly reason: Note } {
  const composition = compositionOf(structure);
  const missing = elementsOf(structure).filter((element) => ELEMENTAL_ENERGIES[element] === undefined);
  if (missing.length > 0) return { reason: ['potential.no-reference', { elements: missing.join(', ') }] };
  const corrected = mp2020Correction({
    structure,
    hubbards: 'as-there',
    oxidationStates: 'by-neighbours',
  });
  if ('reason' in corrected) return { reason: ['potential.no-correction', { reason: corrected.reason }] };
  const atoms = atomCount(composition);
  const elements = Object.entries(composition).reduce(
    (sum, [element, amount]) => sum + amount * (ELEMENTAL_ENERGIES[element] ?? 0),
    0,
  );
  return { value: energyPerAtom + (corrected.correction - elements) / atoms };
}

function primitive(structure: Structure): Structure {
  try {
    return analyzeSymmetry(structure).primitiveCell;
  } catch (error) {
    if (error instanceof SymmetryError) return structure;
    throw error;
  }
}

const remembered = new Map<string, number | null>();

/** Formation energy of a known phase relaxed from its stored cell; null if potential or corrections refuse it. */
function formationEnergyOfKnown(engine: Engine, model: string, { cell }: KnownPhase): number | null {
  if (cell === null) return null;
  const key = `${model} ${JSON.stringify(cell)}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  let value: number | null = null;
  try {
    const start = primitive(fromCompactCell(cell));
    const { structure, evaluation, isConverged } = relax(engineFor(engine, start), start, {
      ...KNOWN_PHASE,
      operations: operationsOf(start),
    });
    const energy = isConverged
      ? formationEnergy(structure, evaluation.energy / structure.sites.length)
      : null;
    if (energy && 'value' in energy) value = energy.value;
  } catch (error) {
    if (!(error instanceof ScienceError)) throw error;
  }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, value);
  return value;
}

/**
 * @param phases known compounds of the crystal's elements; if the crystal is an element, its known crystals
 * @param model name of the engine's model, for the name of the scale
 */
export function placeOnHull(
  engine: Engine,
  model: string,
  relaxed: Structure,
  energyPerAtom: number,
  phases: readonly KnownPhase[],
): PotentialHull | { readonly reason: Note } {
  const found = formationEnergy(relaxed, energyPerAtom);
  if ('reason' in found) return found;
  const elements = elementsOf(relaxed);
  const energies = phases.map((phase) => ({ phase, energy: formationEnergyOfKnown(engine, model, phase) }));
  const compared = energies.flatMap(({ phase, energy }) => (energy === null ? [] : [{ phase, energy }]));
  const isElement = elements.length === 1;
  if (isElement && compared.length === 0) return { reason: ['potential.no-known-phase'] };
  // Crystals of an element are compared with one another, not with the energy in the table.
  const zero = isElement ? Math.min(...compared.map(({ energy }) => energy)) : 0;
  const entries = toEntries(
    compared.map(({ phase, energy }) => ({
      structId: phase.structId,
      formulaReduced: phase.formula,
      formationEnergyPerAtom: energy - zero,
      spaceGroup: '',
    })),
    elements,
  );
  const hull = buildHull(entries, { elements });
  const composition = compositionOf(relaxed);
  const value = (number: number): number => roundTo(number, 4);
  return {
    scale: `${model} + MP2020`,
    formation_energy_per_atom: value(found.value),
    energy_above_hull: value(
      energyAboveHull(hull, { composition, energy: (found.value - zero) * atomCount(composition) }),
    ),
    error: HULL_ERROR,
    competing_phases: competingPhases(hull, composition),
    known_phases: compared.length,
    left_out: [...new Set(energies.flatMap(({ phase, energy }) => (energy === null ? [phase.formula] : [])))],
  };
}
