import { z } from 'zod';
import { unit, defineCall } from '../common.ts';
import * as address from '../calls.ts';

// The calls of the about group: counters of the home page and contents of the public pages (spec §7.2). One
// field of the API is spelled `milestion`.

const text = z.string();
export const person = z.object({
  avatar: text.describe('Address of an image; empty without one.'),
  name: text.describe('Name of the person.'),
  ename: text.describe('Name in Latin letters.'),
  title: text.describe('Title of the person.'),
});
export type Person = z.infer<typeof person>;

export const aboutData = z.object({
  compounds: z.int().describe('Materials of the catalogue.'),
  band_structures: z.int().describe('Band structures, one for each material and functional.'),
  phase_diagrams: z.int().describe('Chemical systems with a phase diagram.'),
  team: z.array(person).describe('The people of the site.'),
  developers: z
    .array(
      z.object({
        name: text.describe('Name of the person.'),
        title: text.describe('Contribution of the person.'),
      }),
    )
    .describe('Authors.'),
  news: z
    .array(
      z.object({
        title: text.describe('Heading of the news.'),
        link: text.describe('Address of the link.'),
      }),
    )
    .describe('News of the site.'),
  milestion: z
    .array(
      z.object({
        date: text.describe('Date as entered by the operator.'),
        content: text.describe('Description of the event.'),
      }),
    )
    .describe('Milestones.'),
  advisory_board: z.array(person).describe('Advisers.'),
  publications: z
    .array(
      z.object({
        title: text.describe('Title of the paper.'),
        link: text.describe('Address of the paper.'),
      }),
    )
    .describe('Papers.'),
  supporters: z
    .array(
      z.object({
        name: text.describe('Name of the institution.'),
        link: text.describe('Address of the institution.'),
        logo: text.describe('Address of the logo.'),
      }),
    )
    .describe('Institutions that support the site.'),
  contact: text.describe('Mailbox shown in the footer; empty hides it.'),
  user_agreement: text.describe('HTML, sanitised.'),
  privacy_policy: text.describe('HTML, sanitised.'),
  is_sample: z.boolean().describe('True while the contents are the samples of a fresh installation.'),
});
export type AboutData = z.infer<typeof aboutData>;

export const getData = defineCall(address.getData, {
  summary: 'Counters and contents of the public pages, in the language of Accept-Language',
  access: 'public',
  answer: aboutData,
  cache: 'public',
});

// Values that the selection fields of the pages offer, for programs.

export const lists = z.object({
  lattices: z
    .array(
      z.object({
        grid_id: z.string().describe('Code of the net.'),
        names: z.array(z.string()).describe('Aliases of the net.'),
        plane_group: z.string().describe('Plane group of the net.'),
        sites: z.int().describe('Sites in its primitive cell.'),
      }),
    )
    .describe('Plane nets of the tight-binding calls, in alphabetical order.'),
  radiation_sources: z
    .array(
      z.object({
        id: z.string().describe('Name of the source in calls.'),
        name: z.string().describe('Display name of the source.'),
        wavelength: z.number().meta(unit('Å', 'Wavelength of the radiation.')),
      }),
    )
    .describe('Sources of powder patterns, the default first.'),
  working_ions: z
    .array(
      z.object({
        symbol: z.string().describe('Symbol of the element.'),
        charge: z.int().meta(unit('e', 'Electrons per ion.')),
      }),
    )
    .describe('Working ions with stored windows, the default first.'),
  scales: z
    .array(
      z.object({
        functional: z
          .string()
          .describe('Name of the energy scale. Energies of different scales are never mixed in one answer.'),
        materials: z.int().describe('Materials with an energy on this scale.'),
        is_default: z.boolean().describe('The default of requests without a scale.'),
      }),
    )
    .describe('Energy scales, the default first.'),
});
export type Lists = z.infer<typeof lists>;

export const getLists = defineCall(address.getLists, {
  summary: 'Lattices, radiation sources, working ions and energy scales that other calls accept',
  access: 'public',
  answer: lists,
  cache: 'public',
});
