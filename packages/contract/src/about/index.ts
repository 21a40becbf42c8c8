/** The calls of about. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { emptyRequest } from '../common.ts';

// Counters of the home page and the contents of the public pages (spec §7.2; `milestion` is spelled so on the wire).

const text = z.string();
export const person = z.object({ avatar: text, name: text, ename: text, title: text });
export type Person = z.infer<typeof person>;

export const aboutData = z.object({
  compounds: z.int(),
  band_structures: z.int(),
  phase_diagrams: z.int(),
  team: z.array(person),
  developers: z.array(z.object({ name: text, title: text })),
  news: z.array(z.object({ title: text, link: text })),
  milestion: z.array(z.object({ date: text, content: text })),
  advisory_board: z.array(person),
  publications: z.array(z.object({ title: text, link: text })),
  supporters: z.array(z.object({ name: text, link: text, logo: text })),
  /** Mailbox shown in the footer; empty hides it. */
  contact: text,
  /** HTML, sanitised. */
  user_agreement: text,
  privacy_policy: text,
  /** True while the contents are the samples a fresh install comes with. */
  is_sample: z.boolean(),
});
export type AboutData = z.infer<typeof aboutData>;

export const getData = defineCall({
  name: 'getData',
  group: 'about',
  method: 'GET',
  path: '/api/about/get_data/',
  summary: 'Counters and contents of the public pages, in the language of Accept-Language',
  access: 'public',
  body: 'none',
  request: emptyRequest,
  answer: aboutData,
  refusals: [],
  cache: 'public',
});

// The lists a program chooses from: what stands behind the pickers of the pages.

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

export const aboutCalls: readonly Call[] = [getData, getLists];
