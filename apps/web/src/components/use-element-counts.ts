/** Counts per element the materials that match a filter; the periodic table dims elements without any. */
import { screenMaterials } from '@unitcell/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../lib/api-client.ts';

/** Undefined while loading: nothing is dimmed then. */
export function useElementCounts(
  filter: string,
  scale: string | null,
): Readonly<Record<string, number>> | undefined {
  const { data } = useQuery({
    ...apiQuery({
      call: screenMaterials,
      body: { filter, facets: ['elements'], limit: 0, ...(scale === null ? {} : { scale }) },
    }),
    select: ({ facets: { elements } }) => (elements?.kind === 'elements' ? elements.counts : {}),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return data;
}
