/** Worker thread functions used only by tests. */
import { CrystalError } from '@unitcell/crystal';
import { DiffractionError } from '@unitcell/diffraction';
import { PhaseEquilibriaError } from '@unitcell/phase-equilibria';
import { SymmetryError } from '@unitcell/symmetry';
import { AppError } from '../../messages/app-error.ts';

/** Never ends, and counts its iterations in the first element. */
export function spin(rounds: Int32Array): never {
  for (;;) Atomics.add(rounds, 0, 1);
}

export const double = (value: number): number => 2 * value;

export function exhaustMemory(_of: null): number {
  const eaten: number[][] = [];
  for (;;) eaten.push(Array.from({ length: 100_000 }, (_, i) => i + eaten.length));
}

export const ERRORS = {
  app: new AppError('run4u.overlap', { distance: '0.1', minimum: 0.5 }, { error_code: '01' }),
  crystal: new CrystalError('cif', 'no atoms', { line: 3, why: { reason: 'cif-no-atoms' } }),
  diffraction: new DiffractionError('too-many-reflections', 'too many', { estimate: 7, limit: 5 }),
  phases: new PhaseEquilibriaError('missing-reference', 'no Li', ['Li']),
  symmetry: new SymmetryError('flat-cell', 'flat'),
  other: new TypeError('ours'),
} as const;

export function fail(which: keyof typeof ERRORS): never {
  throw ERRORS[which];
}
