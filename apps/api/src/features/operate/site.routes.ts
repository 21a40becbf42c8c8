import {
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
import { serveCall } from '../../http/serve-call.ts';
import { callerOf } from '../account/caller.ts';
import { keyOnWire, stateOfKey } from '../account/api-keys.ts';
import type { operatedAudit } from './audit.ts';
import type { operatedBackups } from './backups.service.ts';
import type { operatedBudgets } from './budgets.service.ts';
import { by, done } from './by.ts';
import type { siteHealth } from './health.ts';
import type { operatedKeys } from './keys.service.ts';
import type { operatedStorage } from './storage.ts';
import type { operatedTexts } from './texts.service.ts';

export interface SiteRoutes {
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
    html: texts.preview(body.markdown, body.locale),
  }));
  serveCall(app, operateSaveText, async (input) => {
    const { slug, locale, body, based_on: basedOn } = input.body;
    const at = await texts.save(by(input), slug, locale, body, basedOn);
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
    await keys.revoke(by(input), input.body.id);
    return done;
  });

  serveCall(app, operateBudgets, ({ request }) => budgets(callerOf(request).language));
  serveCall(app, operateStorage, () => storage());
  serveCall(app, operateBackups, () => backups.overview());
  serveCall(app, operateBackUp, async (input) => {
    await backups.askForOne(by(input));
    return done;
  });
  serveCall(app, operateBackupSchedule, async (input) => {
    const { pattern, keep } = input.body;
    await backups.setSchedule(by(input), pattern === null ? null : { pattern, keep });
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
