/** The lists a program chooses from: what stands behind the pickers of the pages. */
import { z } from 'zod';
import { emptyRequest } from '../common.ts';
import { defineCall } from '../define-call.ts';

export const lists = z.object({
  lattices: z.array(
    z.object({
      grid_id: z.string(),
      names: z.array(z.string()),
      plane_group: z.string(),
      sites: z.int(),
    }),
  ),
  radiation_sources: z.array(z.object({ id: z.string(), name: z.string(), wavelength: z.number() })),
  working_ions: z.array(z.object({ symbol: z.string(), charge: z.int() })),
  scales: z.array(z.object({ functional: z.string(), materials: z.int(), is_default: z.boolean() })),
});
export type Lists = z.infer<typeof lists>;

export const getLists = defineCall({
  name: 'getLists',
  group: 'about',
  method: 'GET',
  path: '/api/about/lists/',
  summary: 'Lattices, radiation sources, working ions and energy scales, as the other calls take them',
  access: 'public',
  body: 'none',
  request: emptyRequest,
  answer: lists,
  refusals: [],
  cache: 'public',
});
