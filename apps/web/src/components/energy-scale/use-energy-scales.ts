import { type EnergyScales, getEnergyScales } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../lib/api-client.ts';

/** Scales come and go with imports, not while somebody chooses one. */
const STALE_MILLISECONDS = 5 * 60_000;

/** The energy scales of the site. */
export const useEnergyScales = () =>
  useQuery({
    queryKey: ['energy-scales'],
    staleTime: STALE_MILLISECONDS,
    queryFn: async ({ signal }): Promise<EnergyScales> =>
      expectOutcome(await callApi(getEnergyScales, undefined, { signal })),
  });
