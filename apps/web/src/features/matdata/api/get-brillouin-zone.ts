import { type BrillouinZoneData, getBrillouinZone } from '@unitcell/contract';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

export const zoneRequest = (structId: string) => ({
  queryKey: ['matdata', 'brillouin-zone', Number(structId)],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<BrillouinZoneData> =>
    expectOutcome(await callApi(getBrillouinZone, { struct_id: structId }, { signal })) as BrillouinZoneData,
});
