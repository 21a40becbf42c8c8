/** Worker thread: Markdown documents as HTML. */
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import type { Language } from '../../messages/messages.ts';
import { readDocument, type SiteDocument } from './content-schema.ts';

const WORDS = {
  en: { locale: 'en-GB', say: (day: string) => `Last updated: ${day}` },
  zh: { locale: 'zh-CN', say: (day: string) => `最近更新：${day}` },
} as const;

/** Writes `Last updated: 1 February 2021` if the document has a date. */
export function updatedLine({ updated }: SiteDocument, language: Language): string | null {
  if (updated === null) return null;
  const { locale, say } = WORDS[language];
  return say(new Date(updated).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }));
}

// ── Converts Markdown to safe HTML: anything not on the list is removed ──

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

/** Markdown parser whose time depends only on the length: 200,000 characters take at most 2 s of processor time. */
const reader = new MarkdownIt({ html: true, linkify: true });

export const renderMarkdown = (markdown: string): string =>
  sanitizeHtml(reader.render(markdown), {
    ...ALLOWED,
    allowedAttributes: { a: ['href', 'rel'] },
  });

/** Renders a document as HTML with its date under the title. Long texts take up to 2 s, so call it in a thread. */
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
