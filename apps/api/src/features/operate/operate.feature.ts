/**
 * The operator's page. The commands use the same functions. This is the only feature that imports other
 * features, because it operates them.
 */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Config, deriveKey } from '../../config/config.ts';
import type { Services } from '../../domain/services.ts';
import type { Database, Db } from '../../infra/database.ts';
import { avatars } from '../account/avatars.service.ts';
import { sessions } from '../account/sessions.ts';
import { signInHandles } from '../account/third-party/sign-in-handles.ts';
import { readRun4uSettings } from '../run4u/run4u-settings.ts';
import { backupsRoutes } from './backups.ts';
import { siteHealth } from './health.ts';
import { importsRoutes } from './imports.ts';
import { people, peopleRoutes } from './people.ts';
import { peopleListRoutes } from './people-list.ts';
import { pageRenderer, aboutRepository, type RenderPage } from '../about/about.feature.ts';
import { operatedReports, reportsQueueRoutes } from './reports.ts';
import { siteRoutes } from './site.ts';
import { operatedJobs, operatedSubmissions, workRoutes } from './work.ts';
import {
  operateAudit,
  CONTENT_LOCALES,
  CONTENT_SLUGS,
  operatePreviewText,
  operateSaveText,
  operateTexts,
} from '@unitcell/contract/operate';
import type { NotNull } from 'kysely';
import { serveCall, done } from '../../http/serve-call.ts';
import { anyOf, shownName } from '../../infra/sql.ts';
import { readAudit, askedBy, writeAudit } from '../account/audit-log.ts';
import type { z } from 'zod';
import { AppError } from '../../messages/app-error.ts';
import type { NestedMessage } from '../../messages/messages.ts';
import { contentSchemas, openPlacesOf } from '../about/content-schema.ts';

/**
 * Sessions that can be ended and announced here. Only the account feature of each process receives
 * announcements.
 */
const endingSessions = (config: Config, database: Database) =>
  sessions({
    database,
    databaseUrl: config.databaseUrl,
    signingKey: deriveKey(config, 'session'),
    onError: () => undefined,
  });

/** Operations on accounts and keys, for the page and the commands. */
export function operatedAccounts(config: Config, database: Database) {
  const ending = endingSessions(config, database);
  return {
    sessions: ending,
    people: people({
      database,
      sessions: ending,
      avatars: avatars({
        directory: join(config.home, 'avatars'),
        sealKey: deriveKey(config, 'avatar'),
        limits: config.limits,
      }),
      handles: signInHandles(database, deriveKey(config, 'sign-in')),
      publicUrl: config.publicUrl,
      timeZone: config.timeZone,
    }),
  };
}

export function operateFeature(app: FastifyInstance, services: Services): void {
  const { config, database, queue, threads, indexes } = services;
  const { dailyLimit } = readRun4uSettings(config);
  const { people: operated, sessions: open } = operatedAccounts(config, database);
  peopleListRoutes(app, { database, sessions: open, people: operated.listed, dailyLimit });
  peopleRoutes(app, operated);
  workRoutes(app, {
    submissions: operatedSubmissions(database, config.timeZone),
    jobs: operatedJobs(database, queue),
    backend: config.redisUrl === null ? 'postgres' : 'redis',
  });
  importsRoutes(app, database, config.home);
  const health = siteHealth({ config, database, queue, process: { threads, indexes } });
  siteRoutes(app, { database, config, sessions: open, health, dailyLimit });
  textsRoutes(app, database, pageRenderer(threads));
  backupsRoutes(app, services);
  reportsQueueRoutes(app, operatedReports(database));
  auditRoute(app, database);
}

// The audit log, page by page, with the names of the accounts concerned.

const PAGE = 100;

/** Names of accounts; for deleted accounts the name that was kept. */
async function namesOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('account')
    .select(({ ref }) => ['id', shownName(ref('name'), ref('username')).as('name')])
    .where('id', '=', anyOf([...new Set(ids)], 'int'))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * All event names in alphabetical order. One index lookup each: DISTINCT would read every row of a log that
 * grows for 400 days.
 */
async function eventsOfLog(db: Db): Promise<string[]> {
  const rows = await db
    .withRecursive('known', (of) =>
      of
        .selectFrom('audit_log')
        .select(({ fn }) => fn.min('event').$castTo<string | null>().as('event'))
        .unionAll((union) =>
          union
            .selectFrom('known')
            .select(({ selectFrom }) =>
              selectFrom('audit_log as later')
                .select(({ fn }) => fn.min('later.event').as('event'))
                .whereRef('later.event', '>', 'known.event')
                .as('event'),
            )
            .where('known.event', 'is not', null),
        ),
    )
    .selectFrom('known')
    .select('event')
    .where('event', 'is not', null)
    .$narrowType<{ event: NotNull }>()
    .execute();
  return rows.map(({ event }) => event);
}

function auditRoute(app: FastifyInstance, { db }: Pick<Database, 'db'>): void {
  serveCall(app, operateAudit, async ({ body }) => {
    const filter = {
      accountId: body.account,
      actorId: body.actor,
      event: body.event,
      since: body.since === null ? null : new Date(body.since),
      before: body.before,
    };
    const [found, events] = await Promise.all([
      readAudit(db, { ...filter, limit: PAGE + 1 }),
      eventsOfLog(db),
    ]);
    const rows = found.reverse().slice(0, PAGE);
    const names = await namesOf(
      db,
      rows.flatMap(({ accountId, actorId }) => [accountId, actorId]).filter((id) => id !== null),
    );
    const nameOf = (id: number | null): string | null => (id === null ? null : (names.get(id) ?? null));
    return {
      rows: rows.map((row) => ({
        id: row.id,
        at: row.at.toISOString(),
        event: row.event,
        account_id: row.accountId,
        account: nameOf(row.accountId),
        actor_id: row.actorId,
        actor: nameOf(row.actorId),
        address: row.address,
        detail: row.detail as Record<string, unknown>,
      })),
      has_more: found.length > PAGE,
      events,
    };
  });
}

// The texts of the public pages, for editing by an administrator.

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

function textsRoutes(app: FastifyInstance, database: Database, render: RenderPage): void {
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
