/** The routes of an account: sign-in, profile, keys, second factor and institute. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  bindGetSmsToken,
  bindRequestSm,
  changeInfor,
  changeMobile,
  createApiKey,
  deleteAccount,
  getKey,
  getSecondFactor,
  getUserInfor,
  inviteLogin,
  ldapLogin,
  listApiKeys,
  listProviders,
  listSessions,
  loginCheckSm,
  loginGetSmsToken,
  loginRequestSm,
  type LoginSession,
  logout,
  registerCheckSm,
  registerGetSmsToken,
  registerRequestSm,
  revokeApiKey,
  revokeSession,
  secondFactorConfirm,
  secondFactorDisable,
  secondFactorEnroll,
  secondFactorVerify,
  type ThirdPartyName,
  uploadAvatar,
  type UserInfor,
} from '@unitcell/contract/account';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { Identity } from '../../http/auth.ts';
import { serveCall } from '../../http/serve-call.ts';
import { AppError } from '../../messages/app-error.ts';
import type { AccountProfile } from './account.repository.ts';
import { AVATAR_ADDRESS, type Avatars } from './avatars.service.ts';
import { originOf } from './request-origin.ts';
import type { Institute } from './institute/institute.service.ts';
import type { Login } from './login.service.ts';
import type { OwnKeys } from './api-keys.ts';
import type { Profile } from './profile.service.ts';
import type { SecondFactors } from './second-factor/second-factor.service.ts';
import type { OpenSession, Sessions } from './sessions.ts';

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

/** A session as its owner sees it in the list. */
export const toLoginSession = (row: OpenSession, currentId: string | null): LoginSession => ({
  id: row.id,
  device: deviceName(row.userAgent),
  address: maskAddress(row.address),
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt.toISOString(),
  current: row.id === currentId,
});

// ── How owners recognise a session ──

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger\//, 'WeChat'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** For example `Firefox on Linux`. An unrecognised user agent is shown as it is, shortened. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return (
    browser ??
    system ??
    userAgent
      .replace(/[^\x20-\x7e]/g, '')
      .slice(0, 40)
      .trim()
  );
}

/** `192.0.2.*`, `2001:db8:1:2:*`: enough to recognise a network. */
export function maskAddress(address: string): string {
  if (address.includes('.')) return address.replace(/\.\d+$/, '.*');
  return address.includes(':') ? `${address.split(':').slice(0, 4).join(':')}:*` : address;
}

// ── Sign-in ──

const done = { error: 'false' as const, message: '' };

export function accountRoutes(
  app: FastifyInstance,
  { login, profile }: { login: Login; profile: Profile },
): void {
  const requests = [
    [loginRequestSm, 'login', 'login.not-registered'],
    [registerRequestSm, 'register', 'login.already-registered'],
    [bindRequestSm, 'bind', 'login.code-sent'],
  ] as const;
  for (const [call, purpose, refusal] of requests)
    serveCall(app, call, async ({ body, request, t }) => {
      const answer = await login.requestCode(body.mobile, purpose, originOf(request), body.proof);
      return { ...answer, message: t(answer.result === 'ok' ? 'login.code-sent' : refusal) };
    });

  const exchanges = [
    [loginGetSmsToken, 'login'],
    [registerGetSmsToken, 'register'],
    [bindGetSmsToken, 'bind'],
  ] as const;
  for (const [call, purpose] of exchanges)
    serveCall(app, call, async ({ body, request }) => {
      const identity = await app.optionalIdentity(request);
      const accountId = identity?.accountId ?? null;
      const token = await login.exchangeCode({ ...body, purpose, accountId }, originOf(request));
      return { ...done, sms_token: token };
    });

  serveCall(app, loginCheckSm, async ({ body, request }) => ({
    ...done,
    ...(await login.logIn(body.mobile, body.sms_token, originOf(request))),
  }));

  serveCall(app, registerCheckSm, async ({ body, request }) => ({
    ...done,
    ...(await login.register(body.mobile, body.sms_token, originOf(request))),
  }));

  serveCall(app, getUserInfor, async ({ identity, request }) => ({
    ...toUserInfor(await profile.current(identity.accountId)),
    ...(request.freshToken === null ? {} : { token: request.freshToken }),
  }));

  serveCall(app, logout, async ({ body, identity, request }) => {
    await login.logOut(identity, body.everywhere, originOf(request));
    return done;
  });
}

// ── Profile ──

export function profileRoutes(
  app: FastifyInstance,
  { profile, sessions, avatars }: { profile: Profile; sessions: Sessions; avatars: Avatars },
): void {
  serveCall(app, changeInfor, async ({ body, identity, request, t }) => ({
    ...toUserInfor(await profile.change(identity, body, originOf(request))),
    error: 'false' as const,
    message: t('account.updated'),
  }));

  serveCall(app, uploadAvatar, async ({ identity, file, caller }) => ({
    ...done,
    file_url: await avatars.store(identity.accountId, file.bytes, caller),
  }));

  serveCall(app, changeMobile, async ({ body, identity, request }) => {
    const tokens = { old: body.old_mobile_sms_token, new: body.new_mobile_sms_token };
    return { ...done, new_mobile: await profile.changeMobile(identity, tokens, originOf(request)) };
  });

  serveCall(app, listSessions, async ({ identity }) => ({
    sessions: (await sessions.list(identity.accountId)).map((row) => toLoginSession(row, identity.sessionId)),
  }));

  serveCall(app, revokeSession, async ({ body, identity, request }) => {
    await profile.revokeSession(identity, body.session_id, originOf(request));
    return done;
  });

  serveCall(app, deleteAccount, async ({ body, identity, request }) => {
    await profile.remove(identity, body.sms_token, originOf(request));
    return done;
  });

  app.get<{ Params: { name: string } }>(`${AVATAR_ADDRESS}:name`, async ({ params: { name } }, reply) => {
    const picture = avatars.isName(name)
      ? await readFile(join(avatars.directory, name)).catch(() => null)
      : null;
    if (!picture) throw new AppError('request.not-found');
    return reply
      .type('image/webp')
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Content-Disposition', 'inline; filename="avatar.webp"')
      .send(picture);
  });
}

// ── Keys ──

/** `onRevoked` closes open streams of the key. */
export function ownKeysRoutes(
  app: FastifyInstance,
  { keys, onRevoked }: { keys: OwnKeys; onRevoked: (accountId: number) => Promise<void> },
): void {
  serveCall(app, listApiKeys, ({ identity }) => keys.list(identity.accountId));

  serveCall(app, createApiKey, async ({ body, identity, request }) => ({
    ...done,
    ...(await keys.create(identity.accountId, body, originOf(request))),
  }));

  serveCall(app, revokeApiKey, async ({ body, identity, request }) => {
    await keys.revoke(identity.accountId, body.id, originOf(request));
    await onRevoked(identity.accountId);
    return done;
  });

  serveCall(app, getKey, async ({ identity, request }) => {
    const { budgets, ...key } = await keys.ofKey(identity.accountId, identity.apiKeyId);
    return { ...key, budgets: [...budgets, ...(await app.budgetsLeft(request))] };
  });
}

// ── Second factor ──

export function secondFactorRoutes(app: FastifyInstance, factors: SecondFactors): void {
  /** The signed-in identity, for calls that are not part of a sign-in. @throws AppError auth.missing */
  async function signedIn(request: FastifyRequest): Promise<Identity> {
    const identity = await app.optionalIdentity(request);
    if (!identity) throw new AppError('auth.missing');
    return identity;
  }

  serveCall(app, getSecondFactor, async ({ identity }) => factors.state(identity));

  serveCall(app, secondFactorVerify, async ({ body, request }) => ({
    ...done,
    token: await factors.verify(body.challenge, body.code, originOf(request)),
  }));

  serveCall(app, secondFactorEnroll, async ({ body, request }) => {
    if (body.challenge !== undefined) return { ...done, ...(await factors.enrollToEnter(body.challenge)) };
    return { ...done, ...(await factors.enroll(await signedIn(request), body.sms_token ?? '')) };
  });

  serveCall(app, secondFactorConfirm, async ({ body, request }) => {
    const { challenge, code } = body;
    const origin = originOf(request);
    if (challenge === undefined)
      return { ...done, recovery_codes: await factors.confirm(await signedIn(request), code, origin) };
    const { recoveryCodes, token } = await factors.confirmToEnter(challenge, code, origin);
    return { ...done, recovery_codes: recoveryCodes, token };
  });

  serveCall(app, secondFactorDisable, async ({ body, identity, request }) => {
    await factors.disable(identity, body.code, originOf(request));
    return done;
  });
}

// ── Institute ──

interface InstituteRoutes {
  readonly institute: Institute;
  readonly config: Pick<Config, 'oidc' | 'ldap' | 'sms'>;
  readonly providers: readonly ThirdPartyName[];
}

export function instituteRoutes(
  app: FastifyInstance,
  { institute, config: { oidc, ldap, sms }, providers }: InstituteRoutes,
): void {
  serveCall(app, listProviders, async () => ({
    providers: [...providers],
    phone: sms.provider !== 'none',
    oidc: oidc && oidc.label,
    ldap: ldap && ldap.label,
  }));

  serveCall(app, ldapLogin, async ({ body, request }) => ({
    error: 'false' as const,
    message: '',
    ...(await institute.logInByDirectory(body.username, body.password, originOf(request))),
  }));

  serveCall(app, inviteLogin, async ({ body, request }) => ({
    error: 'false' as const,
    message: '',
    ...(await institute.logInByInvite(body.invite, originOf(request))),
  }));
}
