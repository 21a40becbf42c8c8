/** Search texts that several pages take (spec §4.5, §5). */
import { MAX_SEARCH_TEXT } from '@unitcell/contract';
import { CrystalError, displayFormula, parseFormula, reducedFormula } from '@unitcell/crystal';
import { AppError } from '../../messages/app-error.ts';
import { reasonMessage } from './reason-message.ts';

/** What an empty formula search means (spec §5). */
export const DEFAULT_FORMULA = 'Li(CoO2)2';

/** @throws AppError search.too-long */
export function boundedText(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_SEARCH_TEXT)
    throw new AppError('search.too-long', { length: trimmed.length, limit: MAX_SEARCH_TEXT });
  return trimmed;
}

/**
 * The reduced formula of whatever way a formula was written: as it is stored, and as people read it.
 * @throws AppError search.formula-start, search.bad-formula
 */
export function canonicalFormula(text: string): { readonly reduced: string; readonly shown: string } {
  if (!/^[A-Z([{]/.test(text)) throw new AppError('search.formula-start', { text: text.slice(0, 40) });
  try {
    const composition = parseFormula(text);
    return { reduced: reducedFormula(composition), shown: displayFormula(composition) };
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('search.bad-formula', { text: text.slice(0, 40), reason: reasonMessage(error) });
  }
}
