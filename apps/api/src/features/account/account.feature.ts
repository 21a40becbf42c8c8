/** Accounts: who may sign in, and who is calling. */
import { join } from 'node:path';
import { getUserInfor } from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { deriveKey } from '../../config/config.ts';
import type { Services } from '../../domain/services.ts';
import { registerAuth } from '../../http/auth.ts';
import type { Database } from '../../infra/database.ts';
import { fromNow } from '../../infra/sql.ts';
import { type AccountRepository, accountRepository } from './account.repository.ts';
import {
  accountRoutes,
  instituteRoutes,
  ownKeysRoutes,
  profileRoutes,
  secondFactorRoutes,
} from './account.routes.ts';
import { API_KEY_PREFIX, apiKeys, ownKeys } from './api-keys.ts';
import { type Avatars, avatars } from './avatars.service.ts';
import { originOf } from './request-origin.ts';
import { institute } from './institute/institute.service.ts';
import { ldapDirectory } from './institute/ldap-directory.ts';
import { oidcProvider } from './institute/oidc-provider.ts';
import { login } from './login.service.ts';
import { profile } from './profile.service.ts';
import { secondFactors } from './second-factor/second-factor.service.ts';
import { sessions } from './sessions.ts';
import { smsCodes } from './sms-codes.ts';
import { githubProvider, wechatProvider } from './third-party/oauth-providers.ts';
import { signInHandles, TICKET_PREFIX } from './third-party/sign-in-handles.ts';
import { browserCookie, thirdPartyRoutes } from './third-party/third-party.routes.ts';
import { thirdParty } from './third-party/third-party.service.ts';

/**
 * Deletes expired rows every hour (codes, confirmations, handles, sessions, full buckets) and unused avatars.
 */
const INTERVAL_MILLISECONDS = 3_600_000;

const DAY = 86_400;

/** Seconds between the expiry of a row and its deletion. */
const KEPT_SECONDS = {
  sms_code: DAY,
  sms_token: DAY,
  sign_in_handle: DAY,
  second_factor_challenge: DAY,
  session: 30 * DAY,
  // Every bucket refills within a day. One that was untouched for two days is full, as a new one would be.
  rate_bucket: 2 * DAY,
  audit_log: 400 * DAY,
} as const;

async function deleteWhatRanOut({ db }: Database): Promise<void> {
  for (const table of ['sms_code', 'sms_token', 'sign_in_handle', 'second_factor_challenge'] as const)
    await db.deleteFrom(table).where('expires_at', '<', fromNow(-KEPT_SECONDS[table])).execute();
  const longAgo = fromNow(-KEPT_SECONDS.session);
  await db
    .deleteFrom('session')
    .where((is) => is.or([is('expires_at', '<', longAgo), is('revoked_at', '<', longAgo)]))
    .execute();
  await db.deleteFrom('rate_bucket').where('updated_at', '<', fromNow(-KEPT_SECONDS.rate_bucket)).execute();
  await db.deleteFrom('audit_log').where('at', '<', fromNow(-KEPT_SECONDS.audit_log)).execute();
}

interface HousekeepingOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly log: Logger;
}

export function housekeeping({ database, accounts, avatars: pictures, log }: HousekeepingOptions) {
  async function sweep(): Promise<void> {
    await deleteWhatRanOut(database);
    await pictures.sweep((address) => accounts.isAvatarUsed(address));
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    sweep,
    /** Sweeps every hour from now on. */
    start(): void {
      timer = setInterval(() => {
        sweep().catch((error: unknown) => log.error({ err: error }, 'housekeeping failed'));
      }, INTERVAL_MILLISECONDS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The lasting token that a sign-in ticket was exchanged for while this request was read. */
    freshToken: string | null;
  }
}

export async function accountFeature(
  app: FastifyInstance,
  { config, log, database, smsProvider }: Services,
): Promise<void> {
  const tokens = sessions({
    database,
    databaseUrl: config.databaseUrl,
    signingKey: deriveKey(config, 'session'),
    onError: (error) => log.error({ err: error }, 'revocation listener lost'),
    onChange: (concerns) => app.identityWatchers.forEach((watcher) => watcher(concerns)),
    demandsSecondFactor: config.secondFactor === 'internal',
  });
  const accounts = accountRepository(database);
  const codes = smsCodes({
    database,
    provider: smsProvider,
    hashKey: deriveKey(config, 'sms-code'),
    proofKey: deriveKey(config, 'proof-of-work'),
    limits: config.limits,
    onDeliveryFailure: (error) => log.error({ err: error }, 'text message not delivered'),
    onBudgetSpent: (isMember) =>
      log.error({ alarm: 'sms-budget', isMember }, 'the hourly budget of text messages is used up'),
  });
  const pictures = avatars({
    directory: join(config.home, 'avatars'),
    sealKey: deriveKey(config, 'avatar'),
    limits: config.limits,
  });
  const ownProfile = profile({ database, accounts, avatars: pictures, codes, sessions: tokens });
  const factors = secondFactors({
    database,
    accounts,
    codes,
    sessions: tokens,
    key: deriveKey(config, 'second-factor'),
    policy: config.secondFactor,
  });
  const signIn = login({ database, accounts, codes, sessions: tokens, factors });
  const cookie = browserCookie(config.publicUrl);
  const handles = signInHandles(database, deriveKey(config, 'sign-in'));
  const ofInstitute = institute({
    database,
    accounts,
    sessions: tokens,
    login: signIn,
    handles,
    directory: config.ldap && ldapDirectory(config.ldap),
    log,
  });
  const social = thirdParty({
    database,
    publicUrl: config.publicUrl,
    providers: [
      ...(config.github ? [githubProvider(config.github, config.demandsPhone)] : []),
      ...(config.wechat ? [wechatProvider(config.wechat, config.demandsPhone)] : []),
      ...(config.oidc ? [oidcProvider(config.oidc)] : []),
    ],
    handles,
    sendsCodes: config.sms.provider !== 'none',
    institute: ofInstitute,
    accounts,
    codes,
    login: signIn,
    factors,
    sessions: tokens,
    log,
  });
  const keys = apiKeys(database);

  app.decorateRequest('freshToken', null);
  registerAuth(app, async (token, request) => {
    if (token.startsWith(API_KEY_PREFIX))
      return keys.verify(token, request.routeOptions.schema, (budget) => (request.spent ??= []).push(budget));
    const isProfile = request.routeOptions.schema?.operationId === getUserInfor.name;
    if (!token.startsWith(TICKET_PREFIX) || !isProfile) return tokens.verify(token);
    const exchanged = await social.exchangeTicket(token, cookie.read(request), originOf(request));
    request.freshToken = exchanged.token;
    return exchanged.identity;
  });
  // Subscribers to session changes are set by now.
  await tokens.start();
  app.addHook('onClose', () => tokens.close());
  accountRoutes(app, { profile: ownProfile, login: signIn });
  secondFactorRoutes(app, factors);
  instituteRoutes(app, { institute: ofInstitute, config, providers: social.names });
  thirdPartyRoutes(app, { thirdParty: social, cookie });
  const refresher = housekeeping({ database, accounts, avatars: pictures, log });
  refresher.start();
  app.addHook('onClose', async () => refresher.stop());
  const own = ownKeys({ database, accounts, codes, keys, isOffered: config.apiKeys === 'members' });
  ownKeysRoutes(app, { keys: own, onRevoked: (accountId) => tokens.announce(accountId) });
  profileRoutes(app, { profile: ownProfile, sessions: tokens, avatars: pictures });
}
