import { getBrillouinZone } from '@unitcell/contract/calls';
import type { BrillouinZoneData } from '@unitcell/contract/matdata';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

export const zoneRequest = (structId: string) => ({
  queryKey: ['matdata', 'brillouin-zone', Number(structId)],
  // The page has asked already: its fault is shown, not asked for again when the section appears.
  retryOnMount: false,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<BrillouinZoneData> =>
    expectOutcome(await callApi(getBrillouinZone, { struct_id: structId }, { signal })),
});
