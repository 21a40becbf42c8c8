import {
  CONTENT_LOCALES,
  CONTENT_SLUGS,
  operateAudit,
  operateBackUp,
  operateBackups,
  operateBackupSchedule,
  operateBudgets,
  operateHealth,
  operateKeys,
  operatePreviewText,
  operateRevokeKey,
  operateSaveText,
  operateStorage,
  operateTexts,
} from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import type { NotNull } from 'kysely';
import type { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { limitFigures } from '../../config/limits.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, shownName } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Language, NestedMessage } from '../../messages/messages.ts';
import { aboutRepository, type RenderPage } from '../about/about.feature.ts';
import { contentSchemas, type ContentSlug, openPlacesOf } from '../about/content-schema.ts';
import { keyOnWire, stateOfKey } from '../account/api-keys.ts';
import { type AuditFilter, readAudit, writeAudit } from '../account/audit-log.ts';
import { originOf } from '../account/request-origin.ts';
import { installationShares } from '../account/sign-in-budgets.ts';
import type { operatedBackups } from './backups.service.ts';
import { askedBy, type By, done } from './by.ts';
import type { siteHealth } from './health.ts';
import type { operatedKeys } from './people.ts';
import type { operatedStorage } from './storage.ts';

// The audit log, page by page, with the names of the accounts concerned.

/** Names of accounts; deleted ones have the name that was kept. */
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

// ── The page ──

const PAGE = 100;

export const operatedAudit =
  ({ db }: Pick<Database, 'db'>) =>
  async (filter: Omit<AuditFilter, 'limit'>) => {
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
  };

// Limits and settings in force. They come from the environment, which processes read at start.

/** Policies only, never addresses or secrets. */
const settingsOf = (config: Config, dailyLimit: number) => [
  { variable: 'SMS_PROVIDER', value: config.sms.provider },
  { variable: 'SECOND_FACTOR', value: config.secondFactor },
  { variable: 'API_KEYS', value: config.apiKeys },
  { variable: 'OPTIMADE_ACCESS', value: config.optimadeAccess },
  { variable: 'RELEASE_ACCESS', value: config.releaseAccess },
  { variable: 'RUN4U_DAILY_LIMIT', value: String(dailyLimit) },
  { variable: 'UNITCELL_ENERGY_SCALE', value: config.defaultFunctional },
  { variable: 'UNITCELL_SOURCE_ORDER', value: config.sourceOrder.join(', ') },
  { variable: 'TRUSTED_PROXIES', value: String(config.trustedProxies) },
];

export const operatedBudgets =
  ({ db }: Pick<Database, 'db'>, config: Config, dailyLimit: number) =>
  async (language: Language) => {
    const { messagesPerHour, messagesToStrangersPerHour } = config.limits;
    const { all = 0, strangers = 0 } = await installationShares(db, config.limits);
    return {
      limits: limitFigures(config.limits).map((figure) => ({ ...figure, meaning: figure.meaning[language] })),
      settings: settingsOf(config, dailyLimit),
      messages: {
        left: Math.max(0, Math.floor(all * messagesPerHour)),
        limit: messagesPerHour,
        left_to_strangers: Math.max(0, Math.floor(strangers * messagesToStrangersPerHour)),
        limit_to_strangers: messagesToStrangersPerHour,
      },
    };
  };

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

export function operatedTexts(database: Pick<Database, 'db' | 'readDb' | 'prisma'>, render: RenderPage) {
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

    /** A document as readers will see it. */
    preview: render,

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
      // A text that takes too long to render is rejected here, before it reaches visitors.
      if ('markdown' in parsed.data) await render(parsed.data.markdown, locale);
      return database.db.transaction().execute(async (tx) => {
        const written = await stored.replaceContent(slug, locale, parsed.data, since, tx);
        if (!written) throw new AppError('operate.text-changed');
        await writeAudit(tx, { ...by, accountId: null, event: 'content-changed', detail: { slug, locale } });
        return written;
      });
    },
  };
}

interface SiteRoutes {
  readonly health: ReturnType<typeof siteHealth>;
  readonly texts: ReturnType<typeof operatedTexts>;
  readonly keys: ReturnType<typeof operatedKeys>;
  readonly budgets: ReturnType<typeof operatedBudgets>;
  readonly storage: ReturnType<typeof operatedStorage>;
  readonly backups: ReturnType<typeof operatedBackups>;
  readonly audit: ReturnType<typeof operatedAudit>;
}

export function siteRoutes(app: FastifyInstance, parts: SiteRoutes): void {
  const { health, texts, keys, budgets, storage, backups, audit } = parts;

  serveCall(app, operateHealth, async () => ({ at: new Date().toISOString(), parts: await health() }));

  serveCall(app, operateTexts, async () => ({ texts: await texts.list() }));
  serveCall(app, operatePreviewText, async ({ body }) => ({
    ...done,
    html: await texts.preview(body.markdown, body.locale),
  }));
  serveCall(app, operateSaveText, async (input) => {
    const { slug, locale, body, based_on: basedOn } = input.body;
    const at = await texts.save(askedBy(input), slug, locale, body, basedOn);
    return { ...done, updated_at: at.toISOString() };
  });

  serveCall(app, operateKeys, async () => ({
    keys: (await keys.list()).map((key) => ({
      ...keyOnWire(key),
      account_id: key.accountId,
      account: key.account,
      state: stateOfKey(key),
    })),
  }));
  serveCall(app, operateRevokeKey, async (input) => {
    await keys.revoke(askedBy(input), input.body.id);
    return done;
  });

  serveCall(app, operateBudgets, ({ request }) => budgets(originOf(request).language));
  serveCall(app, operateStorage, () => storage());
  serveCall(app, operateBackups, () => backups.overview());
  serveCall(app, operateBackUp, async (input) => {
    await backups.askForOne(askedBy(input));
    return done;
  });
  serveCall(app, operateBackupSchedule, async (input) => {
    const { pattern, keep } = input.body;
    await backups.setSchedule(askedBy(input), pattern === null ? null : { pattern, keep });
    return done;
  });
  serveCall(app, operateAudit, ({ body }) =>
    audit({
      accountId: body.account,
      actorId: body.actor,
      event: body.event,
      since: body.since === null ? null : new Date(body.since),
      before: body.before,
    }),
  );
}
