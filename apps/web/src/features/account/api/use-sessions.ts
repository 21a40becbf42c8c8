import { listSessions, revokeSession } from '@unitcell/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { useToken } from '../../../lib/session.ts';

const KEY = ['account', 'sessions'];

/** Where the account is signed in. */
export function useSessions() {
  const token = useToken();
  return useQuery({
    queryKey: [...KEY, token],
    enabled: token !== null,
    staleTime: 0,
    queryFn: ({ signal }) => callApi(listSessions, undefined, { signal }),
  });
}

/** Ends one of them. */
export function useRevokeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => expectOutcome(await callApi(revokeSession, { session_id: id })),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
