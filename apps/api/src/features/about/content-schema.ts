/** Schemas of the public pages' contents. Texts are plain; only the two Markdown documents become HTML. */
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { z } from 'zod';
import type { Language } from '../../messages/messages.ts';

/**
 * A Markdown document of the site. It begins with `updated`, the date of its last change, and contains
 * comments `<!-- operator: … -->` for parts the operator should fill in. Readers see neither.
 */
interface SiteDocument {
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
 * time when there is none.
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

const WORDS = {
  en: { locale: 'en-GB', say: (day: string) => `Last updated: ${day}` },
  zh: { locale: 'zh-CN', say: (day: string) => `最近更新：${day}` },
} as const;

/** `Last updated: 1 February 2021`, if the document has a date. */
export function updatedLine({ updated }: SiteDocument, language: Language): string | null {
  if (updated === null) return null;
  const { locale, say } = WORDS[language];
  return say(new Date(updated).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }));
}

// ── Markdown → safe HTML: anything not on the list is dropped ──

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    'h1',
    'h2',
    'h3',
    'h4',
    'p',
    'ul',
    'ol',
    'li',
    'strong',
    'em',
    'code',
    'blockquote',
    'a',
    'br',
    'hr',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['https', 'http', 'mailto'],
  allowProtocolRelative: false,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
};

/** Its time grows with the length of the text alone: 200,000 characters take two seconds of processor at most, mostly a tenth of that. */
const reader = new MarkdownIt({ html: true, linkify: true });

export const renderMarkdown = (markdown: string): string =>
  sanitizeHtml(reader.render(markdown), {
    ...ALLOWED,
    allowedAttributes: { a: ['href', 'rel'] },
  });

/** A document as HTML with its date under the title. Long texts take up to two seconds: call it in a thread. */
export function renderPage({
  text,
  language,
}: {
  readonly text: string;
  readonly language: Language;
}): string {
  const document = readDocument(text);
  const line = updatedLine(document, language);
  const html = renderMarkdown(document.markdown);
  return line === null ? html : html.replace(/^(<h1>.*<\/h1>)?/, `$1\n<p><em>${line}</em></p>`);
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

/** Placeholders of the sample content the operator must replace. */
export function openPlacesOf(body: unknown): readonly string[] {
  const { data } = contentSchemas.terms.safeParse(body);
  if (data) return readDocument(data.markdown).openPlaces;
  return contentSchemas.about.safeParse(body).data?.contact === SAMPLE_CONTACT ? [SAMPLE_CONTACT] : [];
}

export const isContentSlug = (slug: string): slug is ContentSlug => Object.hasOwn(contentSchemas, slug);
