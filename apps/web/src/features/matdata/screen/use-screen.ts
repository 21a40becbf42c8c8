import { type CallAnswer, screenMaterials } from '@unitcell/contract';
import { fieldOf, SEARCH_ROW, searchResultOf, type SearchResult, type SearchRow } from '@unitcell/material';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SortOrder } from '../../../components/data-table/columns.ts';
import { callApi, expectOutcome, type SentRequest } from '../../../lib/api-client.ts';
import { CHOICE_FIELDS, FLAG_FIELDS, RANGE_FIELDS } from './rail-fields.ts';

type Answer = CallAnswer<typeof screenMaterials>;

export interface Screened
  extends Pick<Answer, 'filter' | 'total' | 'catalogue' | 'facets' | 'conditions' | 'scale'> {
  readonly materials: readonly SearchResult[];
  readonly sent: SentRequest;
}

export const PAGE_SIZE = 20;

const FACETS = [
  'elements',
  ...RANGE_FIELDS.map(({ property }) => property),
  ...CHOICE_FIELDS,
  ...FLAG_FIELDS,
];

/** The column a heading sorts by, as the call names it. */
function sortColumn({ id, desc }: SortOrder): string | undefined {
  const name = SEARCH_ROW.find((field) => {
    const { row } = fieldOf(field);
    return row?.name === id;
  });
  return name && `${desc ? '-' : ''}${fieldOf(name).column}`;
}

interface ScreenQuestion {
  readonly filter: string;
  readonly scale: string | null;
  readonly sort: SortOrder | null;
  readonly page: number;
  /** Rows are wanted, not only counts. */
  readonly hasRows: boolean;
}

async function ask(question: ScreenQuestion, signal: AbortSignal): Promise<Screened> {
  const { filter, scale, sort, page, hasRows } = question;
  const column = sort && sortColumn(sort);
  const request = {
    filter,
    facets: FACETS,
    limit: hasRows ? PAGE_SIZE : 0,
    offset: hasRows ? page * PAGE_SIZE : 0,
    ...(scale === null ? {} : { scale }),
    ...(column ? { sort: column } : {}),
  };
  const answer = expectOutcome(await callApi(screenMaterials, request, { signal }));
  return {
    ...answer,
    sent: { call: screenMaterials, body: request },
    // Asked for without fields: rows are those of the searches.
    materials: answer.rows.map((row) => searchResultOf(row as SearchRow)),
  };
}

export const useScreen = (question: ScreenQuestion) =>
  useQuery({
    queryKey: ['matdata', 'screen', question],
    queryFn: ({ signal }) => ask(question, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
