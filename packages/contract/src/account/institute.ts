/** Sign-in by what an institute has: an OIDC provider, an LDAP directory, a link of the operator. */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { secondFactorPending } from './second-factor/fields.ts';
import { loginCall } from './third-party.ts';

/** A token, unless a second factor is asked for. */
const entered = outcome.extend({
  token: z.string().optional(),
  second_factor: secondFactorPending.optional(),
});
export const oidcLogin = loginCall('oidc');

export const ldapLogin = defineCall({
  name: 'ldapLogin',
  group: 'account',
  method: 'POST',
  path: '/api/arkid/ldap/login/',
  summary:
    'Signs in with name and password of the directory (LDAP) of the institute; the first time makes the account',
  access: 'public',
  body: 'json',
  request: z.object({ username: z.string().trim().min(1).max(256), password: z.string().min(1).max(1024) }),
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
  summary: 'Signs in by an invitation of the operator (`unitcell user invite`), which is good for one time',
  access: 'public',
  body: 'json',
  request: z.object({ invite: z.string().min(1).max(512) }),
  answer: entered,
  refusals: ['invite.expired', 'account.blocked'],
  faults: ['login.too-many-here'],
});
