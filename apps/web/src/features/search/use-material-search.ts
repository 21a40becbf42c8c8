import { searchByElements, searchByFormula, searchByStructId } from '@unitcell/contract/calls';
import type { MaterialRow } from '@unitcell/contract/matdata';
import type { EnergyScale, ListCompleteness } from '@unitcell/contract/phase-diagram';
import { searchResultOf } from '@unitcell/material';
import { useQuery } from '@tanstack/react-query';
import { callApi, callKey, expectOutcome, type SentRequest } from '../../lib/api-client.ts';
import type { SearchType } from '../../components/search-form/search-input.ts';
import { type FoundMaterial, foundMaterial } from '../../components/materials/columns.tsx';

/** The submitted search as text: the formula as parsed by the server, or the elements with spaces for hyphens. */
export const searchBasis = (type: SearchType, query: string): string =>
  type === 'elements' ? query.replaceAll('-', ' ') : query;

export interface SearchResult {
  readonly type: SearchType;
  /** Search text for the heading. */
  readonly basis: string;
  /** Total number of matches, more than `materials` if the answer was truncated. */
  readonly count: number;
  readonly materials: readonly FoundMaterial[];
  readonly completeness: ListCompleteness | undefined;
  /** Remark of the server, such as truncated rows. */
  readonly remark: string;
  /** Energy scale and release of all rows. */
  readonly scale: EnergyScale;
  readonly sent: SentRequest;
}

async function search(
  type: SearchType,
  query: string,
  functional: string | null,
  signal: AbortSignal,
): Promise<SearchResult> {
  const request = { include: query, ...(functional === null ? {} : { functional }) };
  const shared = (
    answer: EnergyScale & {
      results: readonly MaterialRow[];
      len: number;
      message: string;
      completeness?: ListCompleteness | undefined;
    },
  ) => ({
    type,
    count: answer.len,
    materials: answer.results.map((row) => foundMaterial(searchResultOf(row), answer.completeness)),
    completeness: answer.completeness,
    remark: answer.message,
    scale: { functional: answer.functional, release: answer.release },
  });
  if (type === 'formula') {
    const answer = expectOutcome(await callApi(searchByFormula, request, { signal }));
    return { ...shared(answer), basis: answer.formula, sent: { call: searchByFormula, body: request } };
  }
  const call = type === 'elements' ? searchByElements : searchByStructId;
  const answer = expectOutcome(await callApi(call, request, { signal }));
  return { ...shared(answer), basis: searchBasis(type, query), sent: { call, body: request } };
}

/** Results of a search; idle while `query` is null. */
export const useMaterialSearch = (type: SearchType, query: string | null, scale: string | null) =>
  useQuery({
    queryKey: callKey(searchByElements, type, query, scale),
    enabled: query !== null && query !== '',
    queryFn: ({ signal }) => search(type, query ?? '', scale, signal),
    retry: false,
  });
