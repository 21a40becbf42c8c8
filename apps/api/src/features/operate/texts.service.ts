/** The texts of the public pages as an administrator edits them. */
import { CONTENT_LOCALES, CONTENT_SLUGS } from '@unitcell/contract/operate';
import type { z } from 'zod';
import type { Database } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Language, NestedMessage } from '../../messages/messages.ts';
import { aboutRepository, page } from '../about/about.ts';
import { type ContentSlug, contentSchemas, openPlacesOf } from '../about/content-schema.ts';
import { writeAudit } from '../account/audit-log.ts';
import type { By } from './by.ts';

/** What is wrong, in the user's language. */
function reasonOf(issue: z.core.$ZodIssue): NestedMessage {
  if (issue.code === 'too_big')
    return { key: 'operate.text-too-long', parameters: { limit: Number(issue.maximum) } };
  if (issue.code === 'invalid_format' || issue.code === 'invalid_union')
    return { key: 'operate.text-format' };
  return { key: 'operate.text-shape' };
}

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  values.some((one) => one === value);

export function operatedTexts(database: Pick<Database, 'db' | 'readDb'>) {
  const stored = aboutRepository(database);
  return {
    async list() {
      const rows = await stored.stored();
      return rows.flatMap(({ slug, locale, body, updatedAt }) =>
        isOneOf(CONTENT_SLUGS, slug) && isOneOf(CONTENT_LOCALES, locale)
          ? [
              {
                slug,
                locale,
                body,
                updated_at: updatedAt.toISOString(),
                open_places: [...openPlacesOf(body)],
              },
            ]
          : [],
      );
    },

    /** A document as readers would see it. */
    preview: (markdown: string, locale: Language): string => page(markdown, locale),

    /**
     * Stores a text, unless somebody has changed it since `basedOn`.
     * @throws AppError operate.text-invalid, operate.text-changed
     */
    async save(
      by: By,
      slug: ContentSlug,
      locale: Language,
      body: unknown,
      basedOn: string | null,
    ): Promise<Date> {
      const parsed = contentSchemas[slug].strict().safeParse(body);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new AppError('operate.text-invalid', {
          place: issue?.path.join('.') || slug,
          reason: issue ? reasonOf(issue) : { key: 'operate.text-shape' },
        });
      }
      const since = basedOn === null ? null : new Date(basedOn);
      if (since && Number.isNaN(since.getTime())) throw new AppError('operate.text-changed');
      return database.db.transaction().execute(async (tx) => {
        const written = await stored.replaceContent(slug, locale, parsed.data, since, tx);
        if (!written) throw new AppError('operate.text-changed');
        await writeAudit(tx, { ...by, accountId: null, event: 'content-changed', detail: { slug, locale } });
        return written;
      });
    },
  };
}
