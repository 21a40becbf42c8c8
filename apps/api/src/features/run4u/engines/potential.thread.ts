/** Worker thread: relaxes cell and atoms of a crystal by the potential that ships, its symmetry kept. */
import { type CompactCell, fromCompactCell, fromPymatgenDict, toCompactCell } from '@unitcell/crystal';
import { roundTo } from '@unitcell/numerics';
import { PotentialError } from '@unitcell/potential';
import { builtInPotential } from '../../../domain/potential/built-in-potential.ts';
import { calculate, potentialNotes } from '../../../domain/potential/calculate.ts';
import type { Prediction } from '../submission.ts';

/** Atoms of a cell that is relaxed. */
const MOST_ATOMS = 200;
const GPA_PER_EV_A3 = 160.21766208;

/** @throws PotentialError */
export function predict(cell: CompactCell): Prediction {
  const structure = fromCompactCell(cell);
  const atoms = structure.sites.length;
  if (atoms > MOST_ATOMS)
    throw new PotentialError('too-large', `${atoms} atoms: at most ${MOST_ATOMS} are relaxed`, {
      atoms,
      limit: MOST_ATOMS,
    });
  const { name, engine } = builtInPotential();
  const { relaxation, structure: relaxed } = calculate(engine, name, structure, ['relax']);
  if (!relaxation?.is_converged)
    throw new PotentialError('not-converged', `not converged in ${relaxation?.steps ?? 0} steps`);
  const { energy_per_atom: energyPerAtom, forces, stress } = relaxation;
  const pressure = (-GPA_PER_EV_A3 * (stress[0]![0]! + stress[1]![1]! + stress[2]![2]!)) / 3;
  return {
    model: name,
    cell: toCompactCell(fromPymatgenDict(relaxed)),
    energyPerAtom,
    maxForce: roundTo(Math.max(...forces.map((force) => Math.hypot(...force))), 5),
    pressureGpa: roundTo(pressure, 4),
    warnings: potentialNotes(name, structure, ['relax']),
  };
}
