/** The public pages: counters from the database, texts from the `content` table in the reader's language. */
import type { AboutData } from '@unitcell/contract';
import type { Language } from '../../messages/messages.ts';
import type { AboutRepository, Counters } from './about.repository.ts';
import { type ContentOf, type ContentSlug, contentSchemas, isContentSlug } from './content-schema.ts';
import { readDocument, updatedLine } from './read-document.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Counting 300,000 rows takes a while, and nobody needs the counters to the second. */
const COUNTERS_MILLISECONDS = 60_000;

/** A document as HTML, the day of its text under its title. */
export function page(text: string, language: Language): string {
  const document = readDocument(text);
  const line = updatedLine(document, language);
  const html = renderMarkdown(document.markdown);
  return line === null ? html : html.replace(/^(<h1>.*<\/h1>)?/, `$1\n<p><em>${line}</em></p>`);
}

export type About = ReturnType<typeof about>;

export function about(repository: AboutRepository, now: () => number = Date.now) {
  let counters: { readonly value: Promise<Counters>; readonly until: number } | null = null;

  function currentCounters(): Promise<Counters> {
    if (!counters || counters.until < now()) {
      const value = repository.counters();
      counters = { value, until: now() + COUNTERS_MILLISECONDS };
      value.catch(() => {
        counters = null;
      });
    }
    return counters.value;
  }

  return {
    async data(language: Language): Promise<AboutData> {
      const [count, stored] = await Promise.all([currentCounters(), repository.contents(language)]);
      // Checked on reading as well: what an older version or another hand wrote does not reach a page unseen.
      const read = <Slug extends ContentSlug>(slug: Slug): ContentOf<Slug> | null => {
        const parsed = contentSchemas[slug].safeParse(stored.get(slug));
        return parsed.success ? (parsed.data as ContentOf<Slug>) : null;
      };
      const texts = read('about') ?? contentSchemas.about.parse({});
      return {
        compounds: count.compounds,
        band_structures: count.bandStructures,
        phase_diagrams: count.phaseDiagrams,
        ...texts,
        user_agreement: page(read('terms')?.markdown ?? '', language),
        privacy_policy: page(read('privacy')?.markdown ?? '', language),
      };
    },

    /**
     * Writes one content.
     * @throws Error naming what is wrong with it
     */
    async save(slug: string, language: Language, body: unknown): Promise<void> {
      if (!isContentSlug(slug))
        throw new Error(
          `${slug} is not a content of the site: expected one of ${Object.keys(contentSchemas).join(', ')}`,
        );
      const parsed = contentSchemas[slug].safeParse(body);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw new Error(
          `${slug} (${language}): ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`,
        );
      }
      await repository.saveContent(slug, language, parsed.data);
    },

    /** Everything stored in one language, as it would be imported again. */
    stored: (language: Language): Promise<Map<string, unknown>> => repository.contents(language),
  };
}
