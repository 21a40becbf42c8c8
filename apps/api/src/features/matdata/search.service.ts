/** The rules of the three searches (spec §4.5, §5, decisions "Searching"). */
import { MAX_SEARCH_ROWS, parseStructId } from '@unitcell/contract';
import { AppError } from '../../messages/app-error.ts';
import { parseElementQuery } from '../../domain/query/element-query.ts';
import { boundedText, canonicalFormula, DEFAULT_FORMULA } from '../../domain/query/search-text.ts';
import type { SearchRepository, SearchRows } from './search.repository.ts';

export type Search = ReturnType<typeof search>;

const NOTHING: SearchRows = { rows: [], count: 0 };

export function search(repository: SearchRepository) {
  return {
    byElements: (include: string): Promise<SearchRows> =>
      repository.byElements(parseElementQuery(boundedText(include))),

    /** Also answers the formula as it was understood. */
    async byFormula(include: string): Promise<SearchRows & { formula: string }> {
      const { reduced, shown } = canonicalFormula(boundedText(include) || DEFAULT_FORMULA);
      return { ...(await repository.byReducedFormula(reduced)), formula: shown };
    },

    async byStructId(include: string | number): Promise<SearchRows> {
      const text = boundedText(String(include));
      if (!/^\d+$/.test(text))
        throw new AppError('search.bad-struct-id', { text: text.slice(0, 40) || '""' });
      const structId = parseStructId(text);
      return structId === null ? NOTHING : repository.byStructId(structId);
    },
  };
}

export const isTruncated = ({ rows, count }: SearchRows): boolean =>
  count > rows.length && rows.length === MAX_SEARCH_ROWS;
