/** Worker thread: predictions of the built-in potential. Mirror images of chiral crystals are averaged. */
import type { WorkingIon } from '@unitcell/contract/ecwindow/rules';
import type { PotentialHull, PotentialName, PredictedTask } from '@unitcell/contract/run4u';
import {
  type CompactCell,
  fromCompactCell,
  fromPymatgenDict,
  toCompactCell,
  toRoundedPymatgenDict,
} from '@unitcell/crystal';
import { largestForce, PotentialError } from '@unitcell/potential';
import { roundTo } from '@unitcell/numerics';
import { builtInPotential } from '../../../domain/potential/built-in-potential.ts';
import {
  barrierJson,
  elasticJson,
  engineFor,
  eosJson,
  expansionJson,
  phononsJson,
  potentialNotes,
  relaxTightly,
} from '../../../domain/potential/calculate.ts';
import { type KnownPhase, placeOnHull } from '../../../domain/potential/predicted-hull.ts';
import type { Note } from '../../../messages/messages.ts';
import type { PredictedResults, Prediction } from '../../../infra/stored-json.ts';
import { courseWriter } from './relaxation-course.ts';

/** Largest number of atoms in a cell that is relaxed. */
const MAX_ATOMS = 200;
const GPA_PER_EV_A3 = 160.21766208;

export interface RelaxRequest {
  readonly cell: CompactCell;
  readonly tasks: readonly PredictedTask[];
  /** Å³ per atom of the crystal from which a chain of submissions started; absent: this is the first. */
  readonly startVolume?: number | undefined;
  readonly potential?: PotentialName | undefined;
  /** Receives the course of the relaxation while it runs. */
  readonly course: SharedArrayBuffer;
}

/** @throws PotentialError */
export function relaxCrystal({ cell, tasks, startVolume, potential, course }: RelaxRequest): Prediction {
  const structure = fromCompactCell(cell);
  const atoms = structure.sites.length;
  if (atoms > MAX_ATOMS)
    throw new PotentialError('too-large', `${atoms} atoms: at most ${MAX_ATOMS} are relaxed`, {
      atoms,
      limit: MAX_ATOMS,
    });
  const { name, engine } = builtInPotential(potential);
  const write = courseWriter(course, atoms);
  const { evaluation, steps, isConverged, ...end } = relaxTightly(engineFor(engine, structure), structure, {
    onStep: write,
    referenceVolume: startVolume && startVolume * atoms,
  });
  if (!isConverged) throw new PotentialError('not-converged', `not converged in ${steps} steps`, { steps });
  const { forces, stress, energy } = evaluation;
  return {
    model: name,
    cell: toCompactCell(fromPymatgenDict(toRoundedPymatgenDict(end.structure))),
    energyPerAtom: roundTo(energy / atoms, 8),
    maxForce: roundTo(largestForce(forces), 5),
    pressureGpa: roundTo((-GPA_PER_EV_A3 * (stress[0] + stress[1] + stress[2])) / 3, 4),
    warnings: [...potentialNotes(name, structure, ['relax', ...tasks], true), ['potential.hull']],
  };
}

export interface HullRequest {
  readonly cell: CompactCell;
  readonly energyPerAtom: number;
  readonly phases: readonly KnownPhase[];
  readonly potential?: PotentialName | undefined;
}

export function placeCrystal({
  cell,
  energyPerAtom,
  phases,
  potential,
}: HullRequest): PotentialHull | { readonly reason: Note } {
  const { name, engine } = builtInPotential(potential);
  return placeOnHull(engine, name, fromCompactCell(cell), energyPerAtom, phases);
}

export interface PropertyRequest {
  /** The relaxed cell. */
  readonly cell: CompactCell;
  readonly task: PredictedTask;
  readonly ion?: WorkingIon | undefined;
  readonly potential?: PotentialName | undefined;
}

/** @throws PotentialError */
export function predictProperty({
  cell,
  task,
  ion,
  potential,
}: PropertyRequest): Pick<
  PredictedResults,
  'eos' | 'elastic' | 'elastic_moduli' | 'phonons' | 'expansion' | 'barrier'
> {
  const structure = fromCompactCell(cell);
  const engine = engineFor(builtInPotential(potential).engine, structure);
  if (task === 'eos') return { eos: eosJson(engine, structure) };
  if (task === 'elastic') return elasticJson(engine, structure);
  if (task === 'expansion') return { expansion: expansionJson(engine, structure) };
  if (task === 'barrier') return { barrier: barrierJson(engine, structure, ion) };
  return { phonons: phononsJson(engine, structure) };
}
