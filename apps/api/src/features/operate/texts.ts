/** The texts of the public pages, for editing by an administrator. */
import {
  CONTENT_LOCALES,
  CONTENT_SLUGS,
  operatePreviewText,
  operateSaveText,
  operateTexts,
} from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';
import type { NestedMessage } from '../../messages/messages.ts';
import { aboutRepository, type RenderPage } from '../about/about.feature.ts';
import { contentSchemas, openPlacesOf } from '../about/content-schema.ts';
import { askedBy, writeAudit } from '../account/audit-log.ts';

/** The validation error in the user's language. */
function reasonOf(issue: z.core.$ZodIssue): NestedMessage {
  if (issue.code === 'too_big')
    return { key: 'operate.text-too-long', parameters: { limit: Number(issue.maximum) } };
  if (issue.code === 'invalid_format' || issue.code === 'invalid_union')
    return { key: 'operate.text-format' };
  return { key: 'operate.text-shape' };
}

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  values.some((one) => one === value);

export function textsRoutes(app: FastifyInstance, database: Database, render: RenderPage): void {
  const stored = aboutRepository(database);

  serveCall(app, operateTexts, async () => {
    const rows = await stored.stored();
    const texts = rows.flatMap(({ slug, locale, body, updatedAt }) =>
      isOneOf(CONTENT_SLUGS, slug) && isOneOf(CONTENT_LOCALES, locale)
        ? [{ slug, locale, body, updated_at: updatedAt.toISOString(), open_places: [...openPlacesOf(body)] }]
        : [],
    );
    return { texts };
  });

  /** Renders a document as shown to readers. */
  serveCall(app, operatePreviewText, async ({ body }) => ({
    ...done,
    html: await render(body.markdown, body.locale),
  }));

  /** Stores a text unless another person has changed it since `based_on`. */
  serveCall(app, operateSaveText, async (input) => {
    const { slug, locale, body, based_on: basedOn } = input.body;
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
    // A text that takes too long to render is rejected here, before it reaches visitors.
    if ('markdown' in parsed.data) await render(parsed.data.markdown, locale);
    const at = await database.db.transaction().execute(async (tx) => {
      const written = await stored.replaceContent(slug, locale, parsed.data, since, tx);
      if (!written) throw new AppError('operate.text-changed');
      const detail = { slug, locale };
      await writeAudit(tx, { ...askedBy(input), accountId: null, event: 'content-changed', detail });
      return written;
    });
    return { ...done, updated_at: at.toISOString() };
  });
}
