/** Schemas of the public pages' contents. Texts are plain; about.thread.ts renders the two Markdown documents. */
import { z } from 'zod';

/**
 * A Markdown document of the site. It begins with `updated`, the date of its last change, and contains
 * comments `<!-- operator: … -->` for parts that the operator should fill in. Date line and comments are not
 * shown to readers.
 */
export interface SiteDocument {
  /** ISO date; null if the document has none. */
  readonly updated: string | null;
  readonly markdown: string;
  /** Parts that the operator has not filled in yet. */
  readonly openPlaces: readonly string[];
}

const HEAD = /^---\r?\nupdated: (\d{4}-\d{2}-\d{2})\r?\n---\r?\n/;
const PLACE = /<!--\s*(?:operator: |运营者：)/g;

/**
 * Texts of the operator comments. Uses `indexOf`, because a regular expression up to `-->` takes quadratic
 * time when `-->` is missing.
 */
function* openPlacesIn(text: string): Generator<string> {
  for (const { 0: begin, index } of text.matchAll(PLACE)) {
    const end = text.indexOf('-->', index);
    if (end < 0) return;
    yield text.slice(index + begin.length, end).trim();
  }
}

export function readDocument(text: string): SiteDocument {
  const head = HEAD.exec(text);
  return {
    updated: head?.[1] ?? null,
    markdown: head ? text.slice(head[0].length) : text,
    openPlaces: [...openPlacesIn(text)],
  };
}

/** The mailbox in the sample texts. */
const SAMPLE_CONTACT = 'contact@example.org';

const text = z.string().max(2000);
/** https:, mailto: or a same-site path; `javascript:` is rejected. */
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
    /** True for the sample texts of a new installation. */
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

/** Placeholders of the sample content that the operator must replace. */
export function openPlacesOf(body: unknown): readonly string[] {
  const { data } = contentSchemas.terms.safeParse(body);
  if (data) return readDocument(data.markdown).openPlaces;
  return contentSchemas.about.safeParse(body).data?.contact === SAMPLE_CONTACT ? [SAMPLE_CONTACT] : [];
}

export const isContentSlug = (slug: string): slug is ContentSlug => Object.hasOwn(contentSchemas, slug);
