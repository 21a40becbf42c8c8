/** Collections and saved searches of the account. Every change refetches the lists. */
import {
  changeCollection,
  getCollection,
  listCollections,
  removeCollection,
  removeSearch,
  saveCollection,
  seeSearch,
  shareCollection,
} from '@unitcell/contract/calls';
import type { CollectionDetail } from '@unitcell/contract/collections';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerTo, apiQuery, callKey, groupKey, type RequestOf } from '../../lib/api-client.ts';

export const COLLECTIONS: RequestOf<typeof listCollections> = { call: listCollections, body: {} };

export const useCollections = (isWanted = true) =>
  useQuery({
    ...apiQuery(COLLECTIONS),
    enabled: isWanted,
  });

export type CollectionPlace = { readonly id: number } | { readonly key: string };

export const useCollection = (place: CollectionPlace) =>
  useQuery({
    ...apiQuery({ call: getCollection, body: { ...place } }),
    select: ({ collection }): CollectionDetail => collection,
    retry: false,
  });

function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  stale: readonly unknown[] = groupKey(listCollections),
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: stale }),
  });
}

interface SavedCollection {
  readonly id?: number;
  readonly name: string;
  readonly note?: string;
  readonly add?: number[];
}

export const useSaveCollection = () =>
  useChange(async (input: SavedCollection) => (await answerTo(saveCollection, input)).collection);

export const useChangeCollection = () =>
  useChange(
    async (input: { readonly id: number; readonly add?: number[]; readonly remove?: number[] }) =>
      (await answerTo(changeCollection, input)).collection,
  );

export const useShareCollection = () =>
  useChange((input: { readonly id: number; readonly is_shared: boolean }) =>
    answerTo(shareCollection, input),
  );

export const useRemoveCollection = () =>
  // Do not refetch a deleted collection.
  useChange((id: number) => answerTo(removeCollection, { id }), callKey(listCollections));

export const useSeeSearch = () => useChange((id: number) => answerTo(seeSearch, { id }));

export const useRemoveSearch = () => useChange((id: number) => answerTo(removeSearch, { id }));
