import { type CallAnswer, listProviders, type ThirdPartyName } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../lib/api-client.ts';

const NONE: readonly ThirdPartyName[] = [];

const useOffered = () =>
  useQuery({
    queryKey: ['account', 'providers'],
    queryFn: ({ signal }) => callApi(listProviders, undefined, { signal }),
  });

/** The third-party sign-ins this installation offers; none while that is not known. */
export const useProviders = (): readonly ThirdPartyName[] => useOffered().data?.providers ?? NONE;

/** The other ways in. */
export type SignInWays = Pick<CallAnswer<typeof listProviders>, 'phone' | 'oidc' | 'ldap'>;

/** Those this installation offers; a phone alone while that is not known. */
export function useSignInWays(): SignInWays {
  const { data } = useOffered();
  return { phone: data?.phone ?? true, oidc: data?.oidc ?? null, ldap: data?.ldap ?? null };
}
