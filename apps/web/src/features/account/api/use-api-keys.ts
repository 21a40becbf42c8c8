import { type CallRequest, createApiKey, listApiKeys, revokeApiKey } from '@unitcell/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { useToken } from '../../../lib/session.ts';

const KEY = ['account', 'keys'];

/** The keys of the account, and whether it may make one. */
export function useApiKeys() {
  const token = useToken();
  return useQuery({
    queryKey: [...KEY, token],
    enabled: token !== null,
    staleTime: 0,
    queryFn: ({ signal }) => callApi(listApiKeys, undefined, { signal }),
  });
}

/** Makes one; the answer holds the key, this once. @throws ApiError */
export const makeApiKey = async (asked: CallRequest<typeof createApiKey>): Promise<string> =>
  expectOutcome(await callApi(createApiKey, asked)).key;

/** Ends one of them. */
export function useRevokeApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => expectOutcome(await callApi(revokeApiKey, { id })),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
