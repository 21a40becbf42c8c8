/** Sign-in and registration by SMS code (spec §4.1, §7.1). */
import { z } from 'zod';
import { emptyRequest, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { code, codeRequested, mobile, proof, secondFactorPending, smsToken, userInfor } from './fields.ts';

const requestSms = (purpose: string, summary: string) =>
  defineCall({
    name: `${purpose}RequestSm`,
    group: 'account',
    method: 'POST',
    path: `/api/arkid/${purpose}_request_sm/`,
    summary,
    access: 'public',
    body: 'json',
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

const getSmsToken = (purpose: string, summary: string) =>
  defineCall({
    name: `${purpose}GetSmsToken`,
    group: 'account',
    method: 'POST',
    path: `/api/arkid/${purpose}_get_sms_token/`,
    summary,
    access: 'public',
    body: 'json',
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

const checkSm = (purpose: string, summary: string) =>
  defineCall({
    name: `${purpose}CheckSm`,
    group: 'account',
    method: 'POST',
    path: `/api/arkid/${purpose}_check_sm/`,
    summary,
    access: 'public',
    body: 'json',
    request: z.object({ mobile, sms_token: smsToken }),
    answer: outcome.extend({
      token: z
        .string()
        .optional()
        .describe('Login token, for `Authorization: token …`; absent if a second factor is required.'),
      second_factor: secondFactorPending.optional(),
    }),
    refusals: ['login.wrong-token', 'login.not-registered', 'account.blocked'],
  });

export const loginRequestSm = requestSms(
  'login',
  'Sends a login code; `invalid` when the number has no account',
);
export const registerRequestSm = requestSms(
  'register',
  'Sends a registration code; `invalid` when the number has an account',
);
export const bindRequestSm = requestSms('bind', 'Sends a code for binding a number or a third-party account');
export const loginGetSmsToken = getSmsToken('login', 'Exchanges a login code for an sms_token');
export const registerGetSmsToken = getSmsToken('register', 'Exchanges a registration code for an sms_token');
export const bindGetSmsToken = getSmsToken('bind', 'Exchanges a bind code for an sms_token');
export const loginCheckSm = checkSm('login', 'Exchanges an sms_token for a login token');
export const registerCheckSm = checkSm('register', 'Creates an account and returns its login token');

export const getUserInfor = defineCall({
  name: 'getUserInfor',
  group: 'account',
  method: 'GET',
  path: '/api/arkid/get_user_infor/',
  summary: 'The profile of the token’s account; a sign-in ticket is exchanged for a token here',
  access: 'user',
  body: 'none',
  request: emptyRequest,
  answer: userInfor,
  refusals: [],
});

export const logout = defineCall({
  name: 'logout',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/logout/',
  summary: 'Ends this session, or all sessions of the account with `everywhere`',
  access: 'user',
  body: 'json',
  request: z
    .object({
      everywhere: z.boolean().default(false).describe('End all sessions of the account, not only this one.'),
    })
    .default({ everywhere: false }),
  answer: outcome,
  refusals: [],
});
