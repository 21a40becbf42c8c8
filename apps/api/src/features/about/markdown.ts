/**
 * A Markdown document of the site: in front of it `updated`, the day its text was last changed, and in it the comments
 * `<!-- operator: … -->` that say what the operator should fill in. Neither is seen by readers.
 */
import { marked } from 'marked';
import sanitizeHtml from 'sanitize-html';
import type { Language } from '../../messages/messages.ts';

interface SiteDocument {
  /** ISO day; null when the document names none. */
  readonly updated: string | null;
  readonly markdown: string;
  /** What the operator has not filled in. */
  readonly openPlaces: readonly string[];
}

const HEAD = /^---\r?\nupdated: (\d{4}-\d{2}-\d{2})\r?\n---\r?\n/;
const PLACE = /<!--\s*(?:operator: |运营者：)([^]*?)\s*-->/g;

export function readDocument(text: string): SiteDocument {
  const head = HEAD.exec(text);
  return {
    updated: head?.[1] ?? null,
    markdown: head ? text.slice(head[0].length) : text,
    openPlaces: [...text.matchAll(PLACE)].map(([, place = '']) => place),
  };
}

const WORDS = {
  en: { locale: 'en-GB', say: (day: string) => `Last updated: ${day}` },
  zh: { locale: 'zh-CN', say: (day: string) => `最近更新：${day}` },
} as const;

/** `Last updated: 1 February 2021`, for a document that names its day. */
export function updatedLine({ updated }: SiteDocument, language: Language): string | null {
  if (updated === null) return null;
  const { locale, say } = WORDS[language];
  return say(new Date(updated).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }));
}

// ── Markdown → HTML that may stand on a page: what is not on the list is dropped ──

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

export const renderMarkdown = (markdown: string): string =>
  sanitizeHtml(marked.parse(markdown, { async: false, gfm: true }), {
    ...ALLOWED,
    allowedAttributes: { a: ['href', 'rel'] },
  });
