/** The rules of the three window searches (spec §2.10; decisions "Searching", "ecwindow"). */
import {
  type EnergyScale,
  type ListCompleteness,
  parseStructId,
  type WindowSearchRequest,
} from '@unitcell/contract';
import { AppError } from '../../messages/app-error.ts';
import { parseElementQuery } from '../../domain/query/element-query.ts';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { elementsOfFormula, type PhaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import { boundedText, canonicalFormula, DEFAULT_FORMULA } from '../../domain/query/search-text.ts';
import { isNarrowed, readWindowFilters, type WindowFilters } from './read-window-search.ts';
import type { WindowRows, WindowSearchRepository, WindowSubject } from './window-search.repository.ts';

export type FoundWindows = WindowRows & {
  readonly scale: EnergyScale;
  readonly completeness: ListCompleteness;
};

export type WindowSearch = ReturnType<typeof windowSearch>;

export function windowSearch(
  repository: WindowSearchRepository,
  entries: PhaseEntries,
  completeness: Completenesses,
) {
  async function find(
    subject: WindowSubject,
    filters: WindowFilters,
    functional: string | undefined,
  ): Promise<FoundWindows> {
    const scale = await entries.scale(functional);
    const found = await repository.search(scale.functional, subject, filters);
    if (found.count === 0 && !(await repository.hasWindows(scale.functional, filters.workingIons)))
      throw new AppError('ecwindow.no-ion', {
        ion: filters.workingIons.join(', '),
        functional: scale.functional,
      });
    const systems = found.rows.map(([, formula, , , ion]) => [...elementsOfFormula(formula), ion]);
    return { ...found, scale, completeness: await completeness.ofEach(scale.functional, systems) };
  }

  return {
    /** An empty search box lists everything the advanced options leave. */
    async byElements(request: WindowSearchRequest): Promise<FoundWindows> {
      const filters = readWindowFilters(request);
      const text = boundedText(request.include);
      if (text === '' && isNarrowed(filters)) return find({ kind: 'all' }, filters, request.functional);
      const { elements, isWildcard } = parseElementQuery(text);
      return find({ kind: isWildcard ? 'at-least' : 'exactly', elements }, filters, request.functional);
    },

    /** Also answers the formula as it was understood. */
    async byFormula(request: WindowSearchRequest): Promise<FoundWindows & { readonly formula: string }> {
      const { reduced, shown } = canonicalFormula(boundedText(request.include) || DEFAULT_FORMULA);
      const subject: WindowSubject = { kind: 'formula', formulaReduced: reduced };
      return { ...(await find(subject, readWindowFilters(request), request.functional)), formula: shown };
    },

    async byId(
      request: Omit<WindowSearchRequest, 'include'> & { readonly include: string | number },
    ): Promise<FoundWindows> {
      const text = boundedText(String(request.include));
      if (!/^\d+$/.test(text))
        throw new AppError('search.bad-struct-id', { text: text.slice(0, 40) || '""' });
      // An id that is too large is the id of nothing.
      const structId = parseStructId(text) ?? -1;
      return find({ kind: 'id', structId }, readWindowFilters(request), request.functional);
    },
  };
}
