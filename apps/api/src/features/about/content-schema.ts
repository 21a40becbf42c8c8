/** What may be written into the public pages. Texts are plain; only the two Markdown documents become HTML. */
import { z } from 'zod';
import { readDocument } from './markdown.ts';

/** What the sample texts name as the mailbox of the site. */
const SAMPLE_CONTACT = 'contact@example.org';

const text = z.string().max(2000);
/** An https address, a mail address, or a path on this site; scripts have no way in. */
const link = z.union([
  z.literal(''),
  z
    .string()
    .max(2000)
    .regex(/^(?:https?:\/\/|mailto:|\/(?!\/))/, 'an https, mailto or site address'),
]);
/** A picture of this site, or a small inline raster image. */
const picture = z.union([
  z.literal(''),
  z
    .string()
    .max(200_000)
    .regex(
      /^(?:\/(?!\/)|data:image\/(?:png|jpeg|webp);base64,)/,
      'a site path or an inline PNG, JPEG or WebP',
    ),
]);
const person = z.object({
  avatar: picture.default(''),
  name: text,
  ename: text.default(''),
  title: text.default(''),
});

const document = z.object({ markdown: z.string().max(200_000) });

/** One content per language: the lists of the public pages, the user agreement, the privacy policy. */
export const contentSchemas = {
  about: z.object({
    /** True while the texts are the samples a fresh install comes with. */
    is_sample: z.boolean().default(false),
    /** Mailbox shown in the footer. */
    contact: z.union([z.literal(''), z.email()]).default(''),
    team: z.array(person).max(200).default([]),
    developers: z
      .array(z.object({ name: text, title: text.default('') }))
      .max(200)
      .default([]),
    news: z
      .array(z.object({ title: text, link: link.default('') }))
      .max(500)
      .default([]),
    milestion: z
      .array(z.object({ date: text, content: text }))
      .max(500)
      .default([]),
    advisory_board: z.array(person).max(200).default([]),
    publications: z
      .array(z.object({ title: text, link: link.default('') }))
      .max(2000)
      .default([]),
    supporters: z
      .array(z.object({ name: text, link: link.default(''), logo: picture.default('') }))
      .max(100)
      .default([]),
  }),
  terms: document,
  privacy: document,
} as const;

export type ContentSlug = keyof typeof contentSchemas;
export type ContentOf<Slug extends ContentSlug> = z.output<(typeof contentSchemas)[Slug]>;

/** What of a content waits for the operator: places of its documents, and the samples' mailbox. */
export function openPlacesOf(body: unknown): readonly string[] {
  const { data } = contentSchemas.terms.safeParse(body);
  if (data) return readDocument(data.markdown).openPlaces;
  return contentSchemas.about.safeParse(body).data?.contact === SAMPLE_CONTACT ? [SAMPLE_CONTACT] : [];
}

export const isContentSlug = (slug: string): slug is ContentSlug => Object.hasOwn(contentSchemas, slug);
