/** Sign-in by GitHub and WeChat (spec §4.2, §7.1, decisions "Third-party sign-in"). */
import { z } from 'zod';
import { outcome } from '../common.ts';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { mobile, signedIn, smsToken } from './fields.ts';
import { THIRD_PARTY_PROVIDERS } from './rules.ts';

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

export const listProviders = defineCall(address.listProviders, {
  summary: 'The sign-in methods of this installation',
  access: 'public',
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
});

const loginCall = (call: address.CallAddress) =>
  defineCall(call, {
    summary: 'Starts a sign-in and returns the address to open; it ends at redirect_uri, a page of this site',
    access: 'public',
    request: z.object({
      redirect_uri: z.string().max(2000).describe('Page of this site where the sign-in ends.'),
    }),
    answer: outcome.extend({ url: z.string().describe('Address to open.') }),
    refusals: ['third-party.unavailable', 'third-party.redirect', 'directory.away'],
    faults: ['login.too-many-here'],
    knowsMembers: true,
  });

export const githubLogin = loginCall(address.githubLogin);
export const wechatLogin = loginCall(address.wechatLogin);
export const oidcLogin = loginCall(address.oidcLogin);

const unbindCall = (call: address.CallAddress) =>
  defineCall(call, {
    summary:
      'Unlinks a third-party sign-in from the account; confirmed by a code of bind_request_sm to its number',
    request: z.object({ sms_token: smsToken }),
    answer: outcome,
    refusals: ['login.wrong-token', 'login.other-number', 'account.last-way-in', 'account.not-bound'],
  });

export const githubUnbind = unbindCall(address.githubUnbind);
export const wechatUnbind = unbindCall(address.wechatUnbind);

const enterCall = <Request extends z.ZodType>(call: address.CallAddress, summary: string, request: Request) =>
  defineCall(call, {
    summary,
    access: 'public',
    request,
    answer: signedIn,
    refusals: ENTER_REFUSALS,
    knowsMembers: true,
  });

const BIND_SUMMARY = 'Binds a third-party identity to the account of the verified number, and signs in to it';
const bindGithub = z.object({ sms_token: smsToken, github_id: thirdPartyId });
const bindWechat = z.object({ sms_token: smsToken, wechat_id: thirdPartyId });
export const githubBind = enterCall(address.githubBind, BIND_SUMMARY, bindGithub);
export const wechatBind = enterCall(address.wechatBind, BIND_SUMMARY, bindWechat);

const REGISTER_SUMMARY = 'Makes the account of the verified number, binds the identity to it and signs in';
export const githubRegister = enterCall(
  address.githubRegister,
  REGISTER_SUMMARY,
  z.object({ mobile, ...bindGithub.shape }),
);
export const wechatRegister = enterCall(
  address.wechatRegister,
  REGISTER_SUMMARY,
  z.object({ mobile, ...bindWechat.shape }),
);

// Sign-in with an institute: an OIDC provider, an LDAP directory, or an operator's link.

export const ldapLogin = defineCall(address.ldapLogin, {
  summary:
    'Signs in with name and password of the institute’s LDAP directory; the first sign-in creates the account',
  access: 'public',
  request: z.object({
    username: z.string().trim().min(1).max(256).describe('Name in the institute’s directory.'),
    password: z
      .string()
      .min(1)
      .max(1024)
      .describe('Password in the institute’s directory; it is not stored.'),
  }),
  answer: signedIn,
  refusals: [
    'third-party.unavailable',
    'directory.wrong',
    'directory.not-allowed',
    'directory.away',
    'account.blocked',
  ],
  faults: ['login.too-many-here'],
});

export const inviteLogin = defineCall(address.inviteLogin, {
  summary: 'Signs in with an invitation of the operator (`unitcell user invite`), which is valid once',
  access: 'public',
  request: z.object({
    invite: z.string().min(1).max(512).describe('Invitation of the operator, from its link; valid once.'),
  }),
  answer: signedIn,
  refusals: ['invite.expired', 'account.blocked'],
  faults: ['login.too-many-here'],
});
