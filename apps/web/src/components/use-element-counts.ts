/** How many materials hold each element, among those a filter finds: what a periodic table knows of the catalogue. */
import { screenMaterials } from '@unitcell/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../lib/api-client.ts';

/** Undefined until it is known: nothing is dimmed then. */
export function useElementCounts(
  filter: string,
  scale: string | null,
): Readonly<Record<string, number>> | undefined {
  const { data } = useQuery({
    queryKey: ['matdata', 'element-counts', filter, scale],
    queryFn: async ({ signal }) => {
      const request = { filter, facets: ['elements'], limit: 0, ...(scale === null ? {} : { scale }) };
      const { facets } = expectOutcome(await callApi(screenMaterials, request, { signal }));
      const { elements } = facets;
      return elements?.kind === 'elements' ? elements.counts : {};
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  return data;
}
