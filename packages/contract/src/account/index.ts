/** The accounts: signing in, profile, keys, second factor, other providers. */
import { z } from 'zod';
import { outcome, defineCall } from '../common.ts';
import * as address from '../calls.ts';
import { code, codeRequested, mobile, proof, signedIn, smsToken, userInfor, challenge } from './fields.ts';
import { PROFILE_LIMITS, AVATAR_MAX_BYTES, THIRD_PARTY_PROVIDERS } from './rules.ts';

export * from '../common.ts';
export * from './api-keys.ts';
export * from './fields.ts';
export * from './rules.ts';

// Sign-in and registration by SMS code (spec §4.1, §7.1).

const requestSms = (call: address.CallAddress, summary: string) =>
  defineCall(call, {
    summary,
    access: 'public',
    request: z.object({
      mobile,
      proof: proof
        .optional()
        .describe('The challenge of login.proof-needed: cheap for one person, expensive for mass requests.'),
    }),
    answer: codeRequested,
    refusals: [
      'login.no-phone',
      'login.delivery-failed',
      'login.proof-needed',
      'login.wrong-proof',
      'account.blocked',
    ],
    faults: ['login.too-soon', 'login.too-many-codes', 'login.too-many-here', 'login.sms-spent'],
    knowsMembers: true,
  });

const getSmsToken = (call: address.CallAddress, summary: string) =>
  defineCall(call, {
    summary,
    access: 'public',
    request: z.object({ mobile, code: code.describe('The six digits of the text message.') }),
    answer: outcome.extend({
      sms_token: z
        .string()
        .describe('Proof that a code was correct; valid for a few minutes and for one use.'),
    }),
    refusals: ['login.wrong-code'],
    faults: ['login.too-many-here'],
    knowsMembers: true,
  });

const checkSm = (call: address.CallAddress, summary: string) =>
  defineCall(call, {
    summary,
    access: 'public',
    request: z.object({ mobile, sms_token: smsToken }),
    answer: signedIn,
    refusals: ['login.wrong-token', 'login.not-registered', 'account.blocked'],
  });

export const loginRequestSm = requestSms(
  address.loginRequestSm,
  'Sends a login code; `invalid` when the number has no account',
);
export const registerRequestSm = requestSms(
  address.registerRequestSm,
  'Sends a registration code; `invalid` when the number has an account',
);
export const bindRequestSm = requestSms(
  address.bindRequestSm,
  'Sends a code for binding a number or a third-party account',
);
export const loginGetSmsToken = getSmsToken(
  address.loginGetSmsToken,
  'Exchanges a login code for an sms_token',
);
export const registerGetSmsToken = getSmsToken(
  address.registerGetSmsToken,
  'Exchanges a registration code for an sms_token',
);
export const bindGetSmsToken = getSmsToken(address.bindGetSmsToken, 'Exchanges a bind code for an sms_token');
export const loginCheckSm = checkSm(address.loginCheckSm, 'Exchanges an sms_token for a login token');
export const registerCheckSm = checkSm(
  address.registerCheckSm,
  'Creates an account and returns its login token',
);

export const getUserInfor = defineCall(address.getUserInfor, {
  summary: 'The profile of the token’s account; a sign-in ticket is exchanged for a token here',
  answer: userInfor,
});

export const logout = defineCall(address.logout, {
  summary: 'Ends this session, or all sessions of the account with `everywhere`',
  request: z
    .strictObject({
      everywhere: z.boolean().default(false).describe('End all sessions of the account, not only this one.'),
    })
    .default({ everywhere: false }),
  answer: outcome,
});

// The account page: profile, avatar, mobile number, sessions and deletion of the account (spec §2.5, §4.4, §7.1).

/**
 * Invisible characters that can be used to deceive: controls, and marks that reverse the direction of
 * writing.
 */
const UNWANTED = /[\p{Cc}\u200B\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/** Normalises one line: composes characters (NFC), removes unwanted ones, collapses and trims blanks. */
export const normaliseLine = (typed: string): string =>
  typed.normalize('NFC').replace(/\s+/g, ' ').replace(UNWANTED, '').replace(/ {2,}/g, ' ').trim();

/** Normalises several lines like `normaliseLine`, but keeps line ends and at most one blank line in a row. */
export const normaliseText = (typed: string): string =>
  typed
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(normaliseLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Length in user-perceived characters, not in UTF-16 units. */
const atMost = (limit: number) =>
  z.string().refine((text) => Array.from(text).length <= limit, `at most ${limit} characters`);

const field = (limit: number, normalise: (typed: string) => string) =>
  z
    .string()
    .max(limit * 8)
    .transform(normalise)
    .pipe(atMost(limit))
    .optional();

export const changeInfor = defineCall(address.changeInfor, {
  summary: 'Changes the profile; omitted fields stay unchanged. `url` is the address, `occ` the occupation',
  request: z.object({
    avatar: z.string().max(200).optional().describe('The `file_url` of an uploaded avatar; empty for none.'),
    name: field(PROFILE_LIMITS.name, normaliseLine).describe('Name chosen by the owner.'),
    des: field(PROFILE_LIMITS.des, normaliseText).describe('Description.'),
    url: field(PROFILE_LIMITS.url, normaliseLine).describe('Postal address.'),
    occ: field(PROFILE_LIMITS.occ, normaliseLine).describe('Occupation.'),
  }),
  answer: userInfor.extend(outcome.shape),
  refusals: ['account.avatar-foreign'],
});

export const uploadAvatar = defineCall(address.uploadAvatar, {
  summary:
    'Uploads a PNG, JPEG or WebP image and returns the address of its 256 × 256 copy, for change_infor',
  body: {
    fileField: 'file',
    meaning: 'PNG, JPEG or WebP image.',
    maxBytes: AVATAR_MAX_BYTES,
    missing: 'account.avatar-missing',
    tooLarge: 'account.avatar-too-large',
  },
  answer: outcome.extend({ file_url: z.string().describe('Address of the image, for change_infor.') }),
  refusals: ['account.avatar-missing', 'account.avatar-format', 'account.avatar-pixels'],
  faults: ['account.avatar-too-large'],
});

export const changeMobile = defineCall(address.changeMobile, {
  summary:
    'Changes the mobile number of the account. Old number: login_request_sm and login_get_sms_token; new number: bind_request_sm and bind_get_sms_token, all signed in. An account without a number (institute sign-in) sends only the new one. Ends the other sessions',
  request: z.object({
    old_mobile_sms_token: smsToken.optional().describe('sms_token of a code to the old number.'),
    new_mobile_sms_token: smsToken.describe('sms_token of a code to the new number.'),
  }),
  answer: outcome.extend({
    new_mobile: z.string().describe('The current number of the account.'),
  }),
  refusals: ['account.mobile-failed', 'account.mobile-same', 'account.mobile-taken'],
});

export const loginSession = z.object({
  id: z.string().describe('Id of the session, for revoke_session.'),
  device: z.string().describe('Browser and operating system according to the user agent.'),
  address: z.string().describe('Network address at sign-in, with its last part masked.'),
  created_at: z.string().describe('Time of sign-in, ISO 8601.'),
  last_used_at: z.string().describe('Time of last use, ISO 8601; null: never used.'),
  current: z.boolean().describe('Whether it is the current session.'),
});
export type LoginSession = z.infer<typeof loginSession>;

export const listSessions = defineCall(address.listSessions, {
  summary: 'Active sessions of the account, last used first',
  answer: z.object({
    sessions: z.array(loginSession).describe('Active sessions of the account, last used first.'),
  }),
});

export const revokeSession = defineCall(address.revokeSession, {
  summary: 'Ends one session of the account',
  request: z.object({ session_id: z.uuid().describe('Id of the session to end.') }),
  answer: outcome,
  faults: ['account.no-such-session'],
});

export const deleteAccount = defineCall(address.deleteAccount, {
  summary:
    'Deletes the account permanently; confirmed by a code of bind_request_sm to its number. Cancels waiting submissions; materials from finished ones remain without a name',
  request: z.object({ sms_token: smsToken }),
  answer: outcome,
  refusals: ['login.wrong-token', 'login.other-number', 'account.last-administrator'],
});

// The second factor of an account: codes of an authenticator app (RFC 6238), and recovery codes.

export const secondFactorCode = z
  .string()
  .max(64)
  .meta({ pattern: '^(?:[0-9]{6}|[A-Za-z2-7]{4}(?:[ -]?[A-Za-z2-7]{4}){3})$' })
  .transform((typed) => typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^(?:\d{6}|[A-Z2-7]{16})$/, 'six digits or a recovery code'))
  .describe(
    'Six digits of the authenticator app, or a recovery code; blanks, hyphens and case do not matter.',
  );

export const getSecondFactor = defineCall(address.getSecondFactor, {
  summary: 'Whether sign-in to this account requires a second factor',
  answer: z.object({
    enabled: z.boolean().describe('Whether sign-in requires a second factor.'),
    demanded: z
      .boolean()
      .describe('Whether the operator requires it for this account, so that it cannot be removed.'),
    recovery_codes_left: z.int().describe('Unused recovery codes.'),
  }),
});

export const secondFactorEnroll = defineCall(address.secondFactorEnroll, {
  summary:
    'Returns the secret for an authenticator app; the second factor is not active before second_factor_confirm. Signed in: with the sms_token of a code of bind_request_sm to the number of the account; during a sign-in that requires it: with its challenge',
  access: 'public',
  request: z.object({ sms_token: smsToken.optional(), challenge: challenge.optional() }),
  answer: outcome.extend({
    secret: z.string().describe('Secret of the authenticator in Base32, for manual entry.'),
    uri: z.string().describe('`otpauth://…`, for a QR code.'),
  }),
  refusals: ['login.wrong-token', 'login.other-number', 'second-factor.expired', 'second-factor.already'],
  faults: ['auth.missing'],
  knowsMembers: true,
});

export const secondFactorConfirm = defineCall(address.secondFactorConfirm, {
  summary:
    'Activates the second factor with a first code of the app and returns the recovery codes once. Ends the other sessions; during a sign-in the answer contains the token',
  access: 'public',
  request: z.object({ code: secondFactorCode, challenge: challenge.optional() }),
  answer: outcome.extend({
    recovery_codes: z.array(z.string()).describe('Codes for use when the phone is lost; shown once.'),
    token: z
      .string()
      .optional()
      .describe('Login token, for `Authorization: token …`; absent if a second factor is required.'),
  }),
  refusals: [
    'second-factor.wrong-code',
    'second-factor.expired',
    'second-factor.unreadable',
    'account.blocked',
  ],
  faults: ['second-factor.too-many', 'auth.missing'],
  knowsMembers: true,
});

export const secondFactorVerify = defineCall(address.secondFactorVerify, {
  summary:
    'Completes a sign-in that requires a second factor: exchanges its challenge and a code for a login token',
  access: 'public',
  request: z.object({ challenge, code: secondFactorCode }),
  answer: outcome.extend({
    token: z
      .string()
      .describe('Login token, for `Authorization: token …`; absent if a second factor is required.'),
  }),
  refusals: [
    'second-factor.wrong-code',
    'second-factor.expired',
    'second-factor.unreadable',
    'account.blocked',
  ],
  faults: ['second-factor.too-many'],
  knowsMembers: true,
});

export const secondFactorDisable = defineCall(address.secondFactorDisable, {
  summary: 'Removes the second factor of the account, confirmed by a code of it; ends the other sessions',
  request: z.object({ code: secondFactorCode }),
  answer: outcome,
  refusals: ['second-factor.wrong-code', 'second-factor.demanded', 'second-factor.unreadable'],
  faults: ['second-factor.too-many'],
});

// Sign-in by GitHub and WeChat (spec §4.2, §7.1, decisions "Third-party sign-in").

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
