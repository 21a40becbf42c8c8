/** Topological data of a material (spec §3 "Topological data"). */
import { z } from 'zod';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { structId } from '../common.ts';

export const topologyData = z.object({
  is_topo_display: z.boolean().describe('Whether there are data.'),
  labels: z.array(z.string()).describe('Headings of the table.'),
  topo_data_web: z.array(z.record(z.string(), z.unknown())).describe('Rows keyed by label.'),
});
export type TopologyData = z.infer<typeof topologyData>;

export const fetchIrvsp = defineCall(address.fetchIrvsp, {
  summary: 'Irreducible representations and topological class of a material',
  request: z.object({ struct_id: structId }),
  answer: topologyData,
});
