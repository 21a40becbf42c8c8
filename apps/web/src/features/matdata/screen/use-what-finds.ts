import { screenMaterials } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** Those of some filters that find something, and how much; undefined until all are counted. */
export function useWhatFinds<Search extends { readonly filter: string }>(
  searches: readonly Search[],
  scale: string | null,
): readonly (Search & { readonly total: number })[] | undefined {
  const { data: totals } = useQuery({
    queryKey: ['matdata', 'totals', scale, searches.map(({ filter }) => filter)],
    queryFn: async ({ signal }) => {
      const counted: number[] = [];
      // One after the other: a person may keep few calculations waiting.
      for (const { filter } of searches) {
        const request = { filter, limit: 0, ...(scale === null ? {} : { scale }) };
        // oxlint-disable-next-line no-await-in-loop
        counted.push(expectOutcome(await callApi(screenMaterials, request, { signal })).total);
      }
      return counted;
    },
    retry: false,
  });
  return (
    totals &&
    searches
      .map((search, place) => ({ ...search, total: totals[place] ?? 0 }))
      .filter(({ total }) => total > 0)
  );
}
