/** Accounts: sign-in, and the identity of the caller of each request. */
import { join } from 'node:path';
import {
  getUserInfor,
  listProviders,
  THIRD_PARTY_PROVIDERS,
  changeInfor,
  changeMobile,
  uploadAvatar,
  type UserInfor,
} from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { deriveKey } from '../../config/config.ts';
import type { Services } from '../../domain/services.ts';
import { registerAuth } from '../../http/auth.ts';
import { originOf, type RequestOrigin } from '../../http/client-network.ts';
import { serveCall, done } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { fromNow } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { accountRepository, type AccountProfile, type AccountRepository } from './account.repository.ts';
import { API_KEY_PREFIX, apiKeys, ownKeysRoutes } from './api-keys.ts';
import { avatars, type Avatars, AVATAR_ADDRESS } from './avatars.service.ts';
import { deleteAccountRoute } from './delete-account.ts';
import { admission, instituteRoutes } from './institute/institute.ts';
import { oidcProvider, githubProvider, wechatProvider } from './third-party/oauth-providers.ts';
import { loginRoutes, signIn } from './login.ts';
import { ownSessionsRoutes, sessions, type Sessions } from './sessions.ts';
import { challenges } from './second-factor/challenges.ts';
import { secondFactorRoutes } from './second-factor/second-factor.ts';
import { smsCodes, type SmsCodes } from './sms-codes.ts';
import { authorizeRoutes } from './third-party/authorize.ts';
import { bindRoutes } from './third-party/bind.ts';
import { browserCookie, signInHandles, TICKET_PREFIX } from './third-party/sign-in-handles.ts';
import { readFile } from 'node:fs/promises';
import { maskMobile } from '../../infra/sms.ts';
import { writeAudit } from './audit-log.ts';

// ── Hourly deletion: expired rows (codes, confirmations, handles, sessions, full buckets), unused avatars ──

const INTERVAL_MILLISECONDS = 3_600_000;

const DAY = 86_400;

/** Seconds between the expiry of a row and its deletion. */
const KEPT_SECONDS = {
  sms_code: DAY,
  sms_token: DAY,
  sign_in_handle: DAY,
  second_factor_challenge: DAY,
  session: 30 * DAY,
  // Every bucket refills within a day. A bucket unused for two days is full, like a new bucket, so its row can
  // be deleted.
  rate_bucket: 2 * DAY,
  audit_log: 400 * DAY,
  email_of_report: 90 * DAY,
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
  await db
    .updateTable('entry_report')
    .set({ email: '' })
    .where('email', '<>', '')
    .where('answered_at', '<', fromNow(-KEPT_SECONDS.email_of_report))
    .execute();
}

interface HousekeepingOptions {
  readonly database: Database;
  readonly avatars: Avatars;
  readonly log: Logger;
}

export function housekeeping({ database, avatars: pictures, log }: HousekeepingOptions) {
  async function sweep(): Promise<void> {
    await deleteWhatRanOut(database);
    await pictures.sweep(
      async (avatar) => (await database.prisma.account.count({ where: { avatar }, take: 1 })) > 0,
    );
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
    /** The lasting token if this request came with a sign-in ticket exchanged for it; otherwise null. */
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
  const secondFactor = challenges({ database, accounts, policy: config.secondFactor });
  const enter = signIn(database, tokens, secondFactor);
  const cookie = browserCookie(config.publicUrl);
  const handles = signInHandles(database, deriveKey(config, 'sign-in'));
  const keys = apiKeys(database);

  /** Exchanges a ticket of a third-party sign-in for a lasting token. @throws AppError auth.invalid */
  const exchangeTicket = (ticket: string, browser: string | null, origin: RequestOrigin) =>
    database.db.transaction().execute(async (tx) => {
      const handle = await handles.redeem('ticket', ticket, browser, tx);
      if (!handle || handle.accountId === null) throw new AppError('auth.invalid');
      const entered = await enter(handle.accountId, origin, handle.data.provider, tx);
      // If a second factor was set up after the ticket was issued, the person must sign in again and present
      // that factor.
      if (!('token' in entered)) throw new AppError('auth.invalid');
      return entered.token;
    });

  app.decorateRequest('freshToken', null);
  registerAuth(app, async (token, request) => {
    if (token.startsWith(API_KEY_PREFIX))
      return keys.verify(token, request.routeOptions.schema, (budget) => (request.spent ??= []).push(budget));
    const isProfile = request.routeOptions.schema?.operationId === getUserInfor.name;
    if (!token.startsWith(TICKET_PREFIX) || !isProfile) return tokens.verify(token);
    const lasting = await exchangeTicket(token, cookie.read(request), originOf(request));
    const identity = await tokens.verify(lasting);
    request.freshToken = lasting;
    return identity;
  });
  // All subscribers to session changes are registered by now.
  await tokens.start();
  app.addHook('onClose', () => tokens.close());
  const refresher = housekeeping({ database, avatars: pictures, log });
  refresher.start();
  app.addHook('onClose', async () => refresher.stop());

  const shared = { database, accounts, codes, sessions: tokens };
  loginRoutes(app, { ...shared, enter });
  secondFactorRoutes(app, {
    ...shared,
    challenges: secondFactor,
    key: deriveKey(config, 'second-factor'),
  });
  const admit = admission(database, accounts, tokens);
  const { github, wechat, oidc, ldap, sms } = config;
  const directory = ldap && (await import('./institute/ldap-directory.ts')).ldapDirectory(ldap);
  instituteRoutes(app, { database, admit, enter, handles, directory, log });
  const providers = [
    ...(github ? [githubProvider(github, config.demandsPhone)] : []),
    ...(wechat ? [wechatProvider(wechat, config.demandsPhone)] : []),
    ...(oidc ? [oidcProvider(oidc)] : []),
  ];
  serveCall(app, listProviders, async () => ({
    providers: THIRD_PARTY_PROVIDERS.filter((name) => providers.some((provider) => provider.name === name)),
    phone: sms.provider !== 'none',
    oidc: oidc && oidc.label,
    ldap: ldap && ldap.label,
  }));
  authorizeRoutes(app, {
    database,
    publicUrl: config.publicUrl,
    providers,
    handles,
    cookie,
    sendsCodes: sms.provider !== 'none',
    accounts,
    challenges: secondFactor,
    admit,
    log,
  });
  bindRoutes(app, { ...shared, handles, cookie, enter });
  ownKeysRoutes(app, { ...shared, keys, isOffered: config.apiKeys === 'members' });
  profileRoutes(app, { ...shared, avatars: pictures });
  ownSessionsRoutes(app, database, tokens);
  deleteAccountRoute(app, { ...shared, avatars: pictures });
}

// The caller's own profile, avatar and mobile number: reading and changing them (spec §2.5, §4.4).

interface ProfileOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
}

/** An account as `get_user_infor` shows it to its owner. */
function toUserInfor(profile: AccountProfile): UserInfor {
  const social = (provider: string): string | undefined =>
    profile.socialAccounts.find((account) => account.provider === provider)?.providerUserId;
  const github = social('github');
  const wechat = social('wechat');
  return {
    userid: profile.id,
    username: profile.username,
    name: profile.name,
    is_extern_user: profile.userType === 1,
    user_type: profile.userType,
    ...(profile.isAdministrator ? { is_administrator: true as const } : {}),
    avatar: profile.avatar,
    mobile: profile.mobile ?? '',
    github_user: github ? { github_user_id: github } : null,
    wechat_user: wechat ? { unionid: wechat } : null,
    custom_user: { data: { url: profile.url, des: profile.des, occ: profile.occ } },
  };
}

function profileRoutes(
  app: FastifyInstance,
  { database: { db }, accounts, avatars: pictures, codes, sessions: tokens }: ProfileOptions,
): void {
  async function current(accountId: number): Promise<AccountProfile> {
    const found = await accounts.profile(accountId);
    if (!found) throw new AppError('auth.invalid');
    return found;
  }

  serveCall(app, getUserInfor, async ({ identity, request }) => ({
    ...toUserInfor(await current(identity.accountId)),
    ...(request.freshToken === null ? {} : { token: request.freshToken }),
  }));

  serveCall(app, changeInfor, async ({ body, identity: { accountId }, request, t }) => {
    const before = await current(accountId);
    const { avatar } = body;
    const isNewPicture = avatar !== undefined && avatar !== before.avatar;
    if (isNewPicture && avatar !== '' && !pictures.isOwn(accountId, avatar))
      throw new AppError('account.avatar-foreign');
    await accounts.update(accountId, body);
    if (isNewPicture) await pictures.remove(before.avatar);
    await writeAudit(db, { accountId, event: 'profile-changed', address: originOf(request).address });
    return { ...done, ...toUserInfor(await current(accountId)), message: t('account.updated') };
  });

  serveCall(app, uploadAvatar, async ({ identity, file, caller }) => ({
    ...done,
    file_url: await pictures.store(identity.accountId, file.bytes, caller),
  }));

  app.get<{ Params: { name: string } }>(`${AVATAR_ADDRESS}:name`, async ({ params: { name } }, reply) => {
    const picture = pictures.isName(name)
      ? await readFile(join(pictures.directory, name)).catch(() => null)
      : null;
    if (!picture) throw new AppError('request.not-found');
    return reply
      .type('image/webp')
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Content-Disposition', 'inline; filename="avatar.webp"')
      .send(picture);
  });

  // Moves the account to another number. The account must have confirmed both numbers, the old number first.
  // An account without a number gets one, and the confirmation of an old number is then ignored. All other
  // sessions end.
  serveCall(app, changeMobile, async ({ body, identity: { accountId, sessionId }, request }) => {
    const { address } = originOf(request);
    const mobile = await db.transaction().execute(async (tx) => {
      const held = await accounts.lockMobile(tx, accountId);
      const confirmed = (token: string, purpose: 'login' | 'bind') =>
        codes.redeem({ token, purpose, accountId }, tx).catch((error: unknown): never => {
          throw error instanceof AppError ? new AppError('account.mobile-failed') : error;
        });
      const old = held === null ? null : await confirmed(body.old_mobile_sms_token ?? '', 'login');
      const next = await confirmed(body.new_mobile_sms_token, 'bind');
      if (old && (old.mobile !== held || old.confirmedAt > next.confirmedAt))
        throw new AppError('account.mobile-failed');
      if (next.mobile === held) throw new AppError('account.mobile-same');
      if (!(await accounts.moveToMobile(tx, accountId, next.mobile)))
        throw new AppError('account.mobile-taken');
      await tokens.revokeAll(accountId, sessionId, tx);
      const detail = { from: old === null ? '' : maskMobile(old.mobile), to: maskMobile(next.mobile) };
      await writeAudit(tx, { accountId, event: 'mobile-changed', address, detail });
      return next.mobile;
    });
    tokens.forget(accountId);
    return { ...done, new_mobile: mobile };
  });
}
