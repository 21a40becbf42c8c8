import { type CallAnswer, screenMaterials } from '@unitcell/contract/calls';
import { fieldOf, SEARCH_ROW, searchResultOf, type SearchRow } from '@unitcell/material';
import { isExpression } from '@unitcell/filter';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SortOrder } from '../../components/data-table/columns.ts';
import { callApi, expectOutcome, type SentRequest } from '../../lib/api-client.ts';
import { type FoundMaterial, foundMaterial } from '../../components/materials/columns.tsx';
import {
  CHOICE_FIELDS,
  FLAG_FIELDS,
  NUMBER_PROPERTIES,
  PREDICTED_RANGES,
  RANGE_FIELDS,
  windowFields,
} from '../../components/filter/filter-fields.ts';

type Answer = CallAnswer<typeof screenMaterials>;

export interface Screened
  extends Pick<
    Answer,
    'filter' | 'total' | 'catalogue' | 'facets' | 'conditions' | 'scale' | 'completeness' | 'units'
  > {
  readonly materials: readonly ScreenedMaterial[];
  readonly sent: SentRequest;
}

/** A row of the results, with the numbers that are filtered by beside those of the searches. */
export type ScreenedMaterial = FoundMaterial & { readonly more: Readonly<Record<string, number | null>> };

export const PAGE_SIZE = 20;

const facetsFor = (ion: string): string[] => [
  'elements',
  ...[...RANGE_FIELDS, ...PREDICTED_RANGES, ...windowFields(ion)].map(({ property }) => property),
  ...CHOICE_FIELDS,
  ...FLAG_FIELDS,
];

export const SEARCH_COLUMNS = SEARCH_ROW.map((name) => fieldOf(name).column);

/** The column a heading sorts by, as the call names it. */
function sortColumn({ id, desc }: SortOrder): string | undefined {
  const name = SEARCH_ROW.find((field) => {
    const { row } = fieldOf(field);
    return row?.name === id;
  });
  const column = name
    ? fieldOf(name).column
    : isExpression(id)
      ? id
      : NUMBER_PROPERTIES.find((property) => property === id);
  return column && `${desc ? '-' : ''}${column}`;
}

interface ScreenQuestion {
  readonly filter: string;
  readonly scale: string | null;
  readonly sort: SortOrder | null;
  readonly page: number;
  /** Rows are wanted, not only counts. */
  readonly hasRows: boolean;
  /** Numbers wanted beside those of the searches. */
  readonly more: readonly string[];
  /** Of the windows that are counted. */
  readonly ion: string;
}

async function ask(question: ScreenQuestion, signal: AbortSignal): Promise<Screened> {
  const { filter, scale, sort, page, hasRows, more, ion } = question;
  const column = sort && sortColumn(sort);
  const request = {
    filter,
    facets: [...facetsFor(ion), ...more.filter(isExpression)],
    fields: [...SEARCH_COLUMNS, ...more],
    limit: hasRows ? PAGE_SIZE : 0,
    offset: hasRows ? page * PAGE_SIZE : 0,
    ...(scale === null ? {} : { scale }),
    ...(column ? { sort: column } : {}),
  };
  const answer = expectOutcome(await callApi(screenMaterials, request, { signal }));
  return {
    ...answer,
    sent: { call: screenMaterials, body: request },
    materials: answer.rows.map((row) => ({
      // The fields begin with those of the searches.
      ...foundMaterial(searchResultOf(row as SearchRow), answer.completeness),
      more: Object.fromEntries(
        more.map((name, place) => [name, row[SEARCH_COLUMNS.length + place] as number | null]),
      ),
    })),
  };
}

export const useScreen = (question: ScreenQuestion) =>
  useQuery({
    queryKey: ['matdata', 'screen', question],
    queryFn: ({ signal }) => ask(question, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
