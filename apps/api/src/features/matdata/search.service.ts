/** The rules of the three searches (spec §4.5, §5, decisions "Searching"). */
import { MAX_SEARCH_ROWS, MAX_SEARCH_TEXT, parseStructId } from '@unitcell/contract';
import { CrystalError, displayFormula, parseFormula, reducedFormula } from '@unitcell/crystal';
import { AppError } from '../../plugins/app-error.ts';
import { parseElementQuery } from './element-query.ts';
import type { SearchRepository, SearchRows } from './search.repository.ts';

/** What an empty formula search means (spec §5). */
export const DEFAULT_FORMULA = 'Li(CoO2)2';

export type Search = ReturnType<typeof search>;

const NOTHING: SearchRows = { rows: [], count: 0 };

function bounded(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_SEARCH_TEXT)
    throw new AppError('search.too-long', { length: trimmed.length, limit: MAX_SEARCH_TEXT });
  return trimmed;
}

/** The reduced formula of whatever way a formula was written: as it is stored, and as people read it. */
function canonicalFormula(text: string): { readonly reduced: string; readonly shown: string } {
  if (!/^[A-Z([{]/.test(text)) throw new AppError('search.formula-start', { text: text.slice(0, 40) });
  try {
    const composition = parseFormula(text);
    return { reduced: reducedFormula(composition), shown: displayFormula(composition) };
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('search.bad-formula', { text: text.slice(0, 40), reason: error.message });
  }
}

export function search(repository: SearchRepository) {
  return {
    byElements: (include: string): Promise<SearchRows> =>
      repository.byElements(parseElementQuery(bounded(include))),

    /** Also answers the formula as it was understood. */
    async byFormula(include: string): Promise<SearchRows & { formula: string }> {
      const { reduced, shown } = canonicalFormula(bounded(include) || DEFAULT_FORMULA);
      return { ...(await repository.byReducedFormula(reduced)), formula: shown };
    },

    async byStructId(include: string | number): Promise<SearchRows> {
      const text = bounded(String(include));
      if (!/^\d+$/.test(text))
        throw new AppError('search.bad-struct-id', { text: text.slice(0, 40) || '""' });
      const structId = parseStructId(text);
      return structId === null ? NOTHING : repository.byStructId(structId);
    },
  };
}

export const isTruncated = ({ rows, count }: SearchRows): boolean =>
  count > rows.length && rows.length === MAX_SEARCH_ROWS;
