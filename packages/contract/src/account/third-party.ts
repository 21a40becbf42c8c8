/** Sign-in by GitHub and WeChat (spec §4.2, §7.1, decisions "Third-party sign-in"). */
import { z } from 'zod';
import { emptyRequest, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { mobile, secondFactorPending, smsToken } from './fields.ts';
import { THIRD_PARTY_PROVIDERS, type ThirdPartyName, type AuthorizationName } from './rules.ts';

/** Values of `third_party_error` in the callback address after a failed sign-in. */
export const THIRD_PARTY_ERRORS = ['state', 'denied', 'provider', 'bound', 'blocked', 'not-allowed'] as const;
export type ThirdPartyError = (typeof THIRD_PARTY_ERRORS)[number];

const thirdPartyId = z
  .string()
  .min(1)
  .max(512)
  .describe('The `third_party_id` that the callback added to the address.');
const ENTER_REFUSALS = [
  'third-party.expired',
  'login.wrong-token',
  'login.not-registered',
  'login.other-number',
  'account.already-bound',
  'account.blocked',
] as const;
/** Sends a token, unless the caller is already signed in or a second factor is required. */
const enter = outcome.extend({
  token: z
    .string()
    .optional()
    .describe('Login token, for `Authorization: token …`; absent if a second factor is required.'),
  second_factor: secondFactorPending.optional(),
});

export const listProviders = defineCall({
  name: 'listProviders',
  group: 'account',
  method: 'GET',
  path: '/api/arkid/providers/',
  summary: 'The sign-in methods of this installation',
  access: 'public',
  body: 'none',
  request: emptyRequest,
  answer: z.object({
    providers: z.array(z.enum(THIRD_PARTY_PROVIDERS)).describe('Third-party sign-ins of this installation.'),
    phone: z.boolean().describe('Whether sign-in by text message is available.'),
    oidc: z
      .string()
      .nullable()
      .describe('Name of the institute’s OIDC provider, empty without a name; null: not available.'),
    ldap: z
      .string()
      .nullable()
      .describe('Name of the institute’s LDAP directory, empty without a name; null: not available.'),
  }),
  refusals: [],
});

export const loginCall = (provider: AuthorizationName) =>
  defineCall({
    name: `${provider}Login`,
    group: 'account',
    method: 'POST',
    path: `/api/arkid/${provider}/login/`,
    summary: 'Starts a sign-in and returns the address to open; it ends at redirect_uri, a page of this site',
    access: 'public',
    body: 'json',
    request: z.object({
      redirect_uri: z.string().max(2000).describe('Page of this site where the sign-in ends.'),
    }),
    answer: outcome.extend({ url: z.string().describe('Address to open.') }),
    refusals: ['third-party.unavailable', 'third-party.redirect', 'directory.away'],
    faults: ['login.too-many-here'],
    knowsMembers: true,
  });

export const githubLogin = loginCall('github');
export const wechatLogin = loginCall('wechat');

const unbindCall = (provider: ThirdPartyName) =>
  defineCall({
    name: `${provider}Unbind`,
    group: 'account',
    method: 'POST',
    path: `/api/arkid/${provider}/unbind/`,
    summary:
      'Unlinks a third-party sign-in from the account; confirmed by a code of bind_request_sm to its number',
    access: 'user',
    body: 'json',
    request: z.object({ sms_token: smsToken }),
    answer: outcome,
    refusals: ['login.wrong-token', 'login.other-number', 'account.last-way-in', 'account.not-bound'],
  });

export const githubUnbind = unbindCall('github');
export const wechatUnbind = unbindCall('wechat');

const BIND_SUMMARY = 'Binds a third-party identity to the account of the verified number, and signs in to it';
const REGISTER_SUMMARY = 'Makes the account of the verified number, binds the identity to it and signs in';

export const githubBind = defineCall({
  name: 'githubBind',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/github/bind/',
  summary: BIND_SUMMARY,
  access: 'public',
  body: 'json',
  request: z.object({ sms_token: smsToken, github_id: thirdPartyId }),
  answer: enter,
  refusals: ENTER_REFUSALS,
  knowsMembers: true,
});

export const wechatBind = defineCall({
  name: 'wechatBind',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/wechat/bind/',
  summary: BIND_SUMMARY,
  access: 'public',
  body: 'json',
  request: z.object({ sms_token: smsToken, wechat_id: thirdPartyId }),
  answer: enter,
  refusals: ENTER_REFUSALS,
  knowsMembers: true,
});

export const githubRegister = defineCall({
  name: 'githubRegister',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/github/register/',
  summary: REGISTER_SUMMARY,
  access: 'public',
  body: 'json',
  request: z.object({ mobile, sms_token: smsToken, github_id: thirdPartyId }),
  answer: enter,
  refusals: ENTER_REFUSALS,
  knowsMembers: true,
});

export const wechatRegister = defineCall({
  name: 'wechatRegister',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/wechat/register/',
  summary: REGISTER_SUMMARY,
  access: 'public',
  body: 'json',
  request: z.object({ mobile, sms_token: smsToken, wechat_id: thirdPartyId }),
  answer: enter,
  refusals: ENTER_REFUSALS,
  knowsMembers: true,
});

/**
 * Sign-in with an institute: an OIDC provider, an LDAP directory, or an operator's link. Sends a token, unless a second
 * factor is required.
 */
const entered = outcome.extend({
  token: z
    .string()
    .optional()
    .describe('Login token, for `Authorization: token …`; absent if a second factor is required.'),
  second_factor: secondFactorPending.optional(),
});
export const oidcLogin = loginCall('oidc');

export const ldapLogin = defineCall({
  name: 'ldapLogin',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/ldap/login/',
  summary:
    'Signs in with name and password of the institute’s LDAP directory; the first sign-in creates the account',
  access: 'public',
  body: 'json',
  request: z.object({
    username: z.string().trim().min(1).max(256).describe('Name in the institute’s directory.'),
    password: z
      .string()
      .min(1)
      .max(1024)
      .describe('Password in the institute’s directory; it is not stored.'),
  }),
  answer: entered,
  refusals: [
    'third-party.unavailable',
    'directory.wrong',
    'directory.not-allowed',
    'directory.away',
    'account.blocked',
  ],
  faults: ['login.too-many-here'],
});

export const inviteLogin = defineCall({
  name: 'inviteLogin',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/invite/login/',
  summary: 'Signs in with an invitation of the operator (`unitcell user invite`), which is valid once',
  access: 'public',
  body: 'json',
  request: z.object({
    invite: z.string().min(1).max(512).describe('Invitation of the operator, from its link; valid once.'),
  }),
  answer: entered,
  refusals: ['invite.expired', 'account.blocked'],
  faults: ['login.too-many-here'],
});
