/** A worker thread function, used only by tests, that throws errors of every kind. */
import { CrystalError } from '@unitcell/crystal';
import { DiffractionError } from '@unitcell/diffraction';
import { PhaseEquilibriaError } from '@unitcell/phase-equilibria';
import { SymmetryError } from '@unitcell/symmetry';
import { AppError } from '../../messages/app-error.ts';

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
