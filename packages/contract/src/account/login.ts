/** Sign-in and registration by SMS code (spec §4.1, §7.1). */
import { z } from 'zod';
import { outcome } from '../common.ts';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { code, codeRequested, mobile, proof, signedIn, smsToken, userInfor } from './fields.ts';

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
    .object({
      everywhere: z.boolean().default(false).describe('End all sessions of the account, not only this one.'),
    })
    .default({ everywhere: false }),
  answer: outcome,
});
