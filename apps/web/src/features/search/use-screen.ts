/** The screening request: counts for elements and filters, and rows of a filter. */
import type { CallAnswer } from '@unitcell/contract';
import { screenMaterials } from '@unitcell/contract/calls';
import { fieldOf, SEARCH_ROW, type SearchRow } from '@unitcell/material';
import { isExpression } from '@unitcell/filter';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type SortOrder, splitNames } from '../../components/data-table/columns.tsx';
import { answerTo, callKey, type SentRequest } from '../../lib/api-client.ts';
import type { Conditions } from '../../components/filter/conditions.ts';
import { useLastGood } from '../../components/tool-page/tool-page.tsx';
import type { SearchState, SearchStatement } from './search-part.tsx';
import { type FoundMaterial, foundMaterial } from '../../components/materials/columns.tsx';
import {
  CHOICE_FIELDS,
  CONDITION_RANGES,
  electrodeFields,
  FLAG_FIELDS,
  frameworkField,
  ionOf,
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

/** A row of the results: the default columns, and the numbers used in the filter. */
export type ScreenedMaterial = FoundMaterial & { readonly more: Readonly<Record<string, number | null>> };

export const PAGE_SIZE = 20;

const facetsFor = (ion: string): string[] => [
  'elements',
  ...[
    ...RANGE_FIELDS,
    ...CONDITION_RANGES,
    ...PREDICTED_RANGES,
    ...windowFields(ion),
    ...electrodeFields(ion),
  ].map(({ property }) => property),
  ...CHOICE_FIELDS,
  frameworkField(ion),
  ...FLAG_FIELDS,
];

const SEARCH_COLUMNS = SEARCH_ROW.map((name) => fieldOf(name).column);

/** The API name of a sorted column. */
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
  /** False to request only counts. */
  readonly hasRows: boolean;
  /** Numbers to request in addition to the default columns. */
  readonly more: readonly string[];
  /** Working ion of the windows for which counts are requested. */
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
  const answer = await answerTo(screenMaterials, request, { signal });
  return {
    ...answer,
    sent: { call: screenMaterials, body: request },
    materials: answer.rows.map((row) => ({
      // The default columns come first in the row.
      ...foundMaterial(row as SearchRow, answer.completeness),
      more: Object.fromEntries(
        more.map((name, place) => [name, row[SEARCH_COLUMNS.length + place] as number | null]),
      ),
    })),
  };
}

/** Properties that are compared with a number. */
const comparedIn = (conditions: Conditions): readonly string[] =>
  conditions.flatMap((term) => (term.kind === 'compare' ? [term.property] : []));

/** Numbers used by conditions or by sorting that are not default columns. */
function moreColumns(conditions: Conditions, sort: string | undefined): readonly string[] {
  const named = comparedIn(conditions);
  return NUMBER_PROPERTIES.filter(
    (property) =>
      (named.includes(property) || property === sort) &&
      !SEARCH_COLUMNS.some((column) => column === property),
  );
}

/** Calculated columns of the page, and those used by filter, sorting or plots. */
function calculatedIn(
  { calculated, plot, heat, view }: SearchState,
  conditions: Conditions,
): readonly string[] {
  const all = [
    ...calculated,
    ...comparedIn(conditions),
    ...splitNames(plot ?? ''),
    heat ?? '',
    view.sort?.id ?? '',
  ];
  return [...new Set(all.filter(isExpression))];
}

const DEFAULT_ION = 'Li';

/** Counts for the matching materials, and their rows on the filter page. */
export function useScreened(state: SearchState, { conditions, text }: SearchStatement) {
  const ion = state.ion ?? comparedIn(conditions).map(ionOf).find(Boolean) ?? DEFAULT_ION;
  const sortedBy = state.view.sort?.id;
  const calculated = useMemo(() => calculatedIn(state, conditions), [state, conditions]);
  const more = useMemo(
    () => [...moreColumns(conditions, sortedBy), ...calculated],
    [conditions, sortedBy, calculated],
  );
  const hasRows = state.filter !== null;
  const question: ScreenQuestion = {
    filter: text,
    scale: state.scale,
    sort: hasRows ? state.view.sort : null,
    page: hasRows ? state.view.page : 0,
    hasRows,
    more,
    ion,
  };
  const screened = useQuery({
    queryKey: callKey(screenMaterials, question),
    queryFn: ({ signal }) => ask(question, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const counts = useLastGood(screened.data);
  return { ion, calculated, more, screened, counts };
}
