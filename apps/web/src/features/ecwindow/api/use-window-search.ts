import { useQuery } from '@tanstack/react-query';
import {
  getEcwDetail,
  searchWindowsByElements,
  searchWindowsByFormula,
  searchWindowsById,
} from '@unitcell/contract/calls';
import type { EnergyScale, ListCompleteness } from '@unitcell/contract/common';
import { searchBasis, type SearchType } from '../../../components/search-form/search-form.tsx';
import type { Conditions, OpenGasState } from '../../../components/open-gas/open-gas-state.ts';
import {
  answerTo,
  apiQuery,
  callKey,
  type RequestOf,
  type SentRequest,
  previousIf,
} from '../../../lib/api-client.ts';
import { type Filters, type FoundWindow, isNarrowing, requestOf, windowOf } from '../view-model.ts';

export const windowDetailRequest = (
  structId: string | number,
  workIon: string,
  functional: string | null,
  open: OpenGasState | null = null,
  temperature: number | null = null,
): RequestOf<typeof getEcwDetail> => ({
  call: getEcwDetail,
  body: {
    struct_id: structId,
    work_ion: workIon,
    ...(open ? { reservoir: { ...open } } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(functional ? { functional } : {}),
  },
});

/** The window of a compound of the visitor's own. @param energy its formation energy, eV/atom */
export const useOwnWindow = (compound: string, energy: number, workIon: string, functional: string) =>
  useQuery({
    ...apiQuery({
      call: getEcwDetail,
      body: { compound, compound_energy: energy, work_ion: workIon, functional },
    }),
    retry: false,
  });

export const useWindowDetail = (
  structId: string,
  workIon: string,
  functional: string | null,
  { open, temperature }: Conditions = { open: null, temperature: null },
) =>
  useQuery({
    ...apiQuery(windowDetailRequest(structId, workIon, functional, open, temperature)),
    retry: false,
    // Keep the last window while the temperature slider moves.
    placeholderData: previousIf(
      getEcwDetail,
      (before) =>
        before.struct_id === structId &&
        before.work_ion === workIon &&
        (before.functional ?? null) === functional,
    ),
  });

export interface WindowSearchResult {
  readonly type: SearchType;
  /** Search text for the heading; empty for all elements. */
  readonly basis: string;
  readonly count: number;
  readonly windows: readonly FoundWindow[];
  /** Remark of the server, such as truncated rows. */
  readonly remark: string;
  /** Energy scale and release of the windows. */
  readonly scale: EnergyScale;
  readonly completeness: ListCompleteness | undefined;
  readonly sent: SentRequest;
}

const CALLS = {
  elements: searchWindowsByElements,
  formula: searchWindowsByFormula,
  struct_id: searchWindowsById,
};

async function search(
  type: SearchType,
  include: string,
  filters: Filters,
  functional: string | null,
  signal: AbortSignal,
): Promise<WindowSearchResult> {
  const body = { include, ...requestOf(filters), ...(functional ? { functional } : {}) };
  const sent = { call: CALLS[type], body };
  const answer = await answerTo(sent.call, body, { signal });
  return {
    type,
    basis: 'formula' in answer ? answer.formula : searchBasis(type, include),
    count: answer.len,
    windows: answer.results.map((row) => windowOf(row, answer.completeness)),
    remark: answer.message,
    scale: { functional: answer.functional, release: answer.release },
    completeness: answer.completeness,
    sent,
  };
}

/** Results of a search; idle while `query` is null. */
export const useWindowSearch = (
  type: SearchType,
  query: string | null,
  filters: Filters,
  functional: string | null,
) =>
  useQuery({
    queryKey: callKey(searchWindowsByElements, type, query, filters, functional),
    enabled: query !== null && (query !== '' || (type === 'elements' && isNarrowing(filters))),
    queryFn: ({ signal }) => search(type, query ?? '', filters, functional, signal),
    retry: false,
  });
