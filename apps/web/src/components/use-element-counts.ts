/** How many materials hold each element, among those a filter finds: what a periodic table knows of the catalogue. */
import { screenMaterials } from '@unitcell/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../lib/api-client.ts';

/** Undefined until it is known: nothing is dimmed then. */
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
