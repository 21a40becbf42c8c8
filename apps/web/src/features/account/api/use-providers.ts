import { listProviders, type ThirdPartyName } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../lib/api-client.ts';

const NONE: readonly ThirdPartyName[] = [];

/** The third-party sign-ins this installation offers; none while that is not known. */
export function useProviders(): readonly ThirdPartyName[] {
  const query = useQuery({
    queryKey: ['account', 'providers'],
    queryFn: ({ signal }) => callApi(listProviders, undefined, { signal }),
  });
  return query.data?.providers ?? NONE;
}
