import { getUserInfor } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { callApi, callKey } from '../../../lib/api-client.ts';
import { currentToken, storeToken, useToken } from '../../../lib/session.ts';

/** The profile of the signed-in visitor. Exchanges a sign-in ticket for a token first (decisions.md). */
export function useCurrentUser() {
  const token = useToken();
  return useQuery({
    queryKey: callKey(getUserInfor, token),
    enabled: token !== null,
    queryFn: async ({ signal }) => {
      const user = await callApi(getUserInfor, undefined, { signal });
      if (user.token !== undefined && currentToken() === token) storeToken(user.token);
      return user;
    },
  });
}
