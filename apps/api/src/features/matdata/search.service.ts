/** The rules of the three searches (spec §4.5, §5, decisions "Searching"). Energies of one answer stand on one scale. */
import { type EnergyScale, type ListCompleteness, MAX_SEARCH_ROWS, parseStructId } from '@unitcell/contract';
import { AppError } from '../../messages/app-error.ts';
import { parseElementQuery } from '../../domain/query/element-query.ts';
import { boundedText, canonicalFormula, DEFAULT_FORMULA } from '../../domain/query/search-text.ts';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { elementsOfFormula, type PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import type { SearchRepository, SearchRows } from './search.repository.ts';

export type Search = ReturnType<typeof search>;

export interface Found extends SearchRows {
  readonly scale: EnergyScale;
  readonly completeness: ListCompleteness;
}

const NOTHING: SearchRows = { rows: [], count: 0 };

export function search(
  repository: SearchRepository,
  { scale }: Pick<PhaseEntries, 'scale'>,
  completeness: Pick<Completenesses, 'ofEach'>,
) {
  /** What was typed is read first: its refusal is the more helpful one. */
  async function onScale(
    requested: string | undefined,
    find: (functional: string) => Promise<SearchRows>,
  ): Promise<Found> {
    const known = await scale(requested);
    const found = await find(known.functional);
    const systems = found.rows.map(([, formula]) => elementsOfFormula(formula));
    return { ...found, scale: known, completeness: await completeness.ofEach(known.functional, systems) };
  }

  return {
    /** @throws AppError search.*, phase.unknown-scale */
    async byElements(include: string, functional?: string): Promise<Found> {
      const query = parseElementQuery(boundedText(include));
      return onScale(functional, (name) => repository.byElements(query, name));
    },

    /** Also answers the formula as it was understood. */
    async byFormula(include: string, functional?: string): Promise<Found & { formula: string }> {
      const { reduced, shown } = canonicalFormula(boundedText(include) || DEFAULT_FORMULA);
      const found = await onScale(functional, (name) => repository.byReducedFormula(reduced, name));
      return { ...found, formula: shown };
    },

    async byStructId(include: string | number, functional?: string): Promise<Found> {
      const text = boundedText(String(include));
      if (!/^\d+$/.test(text))
        throw new AppError('search.bad-struct-id', { text: text.slice(0, 40) || '""' });
      const structId = parseStructId(text);
      return onScale(functional, async (name) =>
        structId === null ? NOTHING : repository.byStructId(structId, name),
      );
    },
  };
}

export const isTruncated = ({ rows, count }: SearchRows): boolean =>
  count > rows.length && rows.length === MAX_SEARCH_ROWS;
