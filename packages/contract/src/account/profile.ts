/** The account page: profile, avatar, mobile number, sessions and deletion of the account (spec §2.5, §4.4, §7.1). */
import { z } from 'zod';
import { outcome } from '../common.ts';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { smsToken, userInfor } from './fields.ts';
import { PROFILE_LIMITS, AVATAR_MAX_BYTES } from './rules.ts';

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
    new_mobile: z.string().describe('The current number of the account, with its middle masked.'),
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
