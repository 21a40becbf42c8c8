/** Reactants as they are typed: a formula or the id of a material. */
import { parseStructId } from '@unitcell/contract/common';
import { CrystalError, parseFormula, reducedFormula } from '@unitcell/crystal';
import { AppError } from '../../messages/app-error.ts';
import { reasonMessage } from '../query/query-text.ts';
import type { PhaseEntries } from './phase-entries.ts';

/** The formula in stored form. @throws AppError interface.bad-reactant */
export function readReactantFormula(text: string): string {
  try {
    return reducedFormula(parseFormula(text));
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('interface.bad-reactant', {
      text: text.slice(0, 40),
      reason: reasonMessage(error),
    });
  }
}

/** The material of an id, whose energy may be null. @throws AppError interface.no-material */
export async function reactantOfId(entries: PhaseEntries, functional: string, text: string) {
  const typed = parseStructId(text);
  const stored = typed === null ? null : await entries.material(functional, typed);
  if (stored === null) throw new AppError('interface.no-material', { id: text.slice(0, 20) });
  return stored;
}
