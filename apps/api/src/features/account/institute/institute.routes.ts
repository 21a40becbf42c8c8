import { inviteLogin, ldapLogin, listProviders, type ThirdPartyName } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../config/config.ts';
import { serveCall } from '../../../http/serve-call.ts';
import { callerOf } from '../caller.ts';
import type { Institute } from './institute.service.ts';

export interface InstituteRoutes {
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
    ...(await institute.logInByDirectory(body.username, body.password, callerOf(request))),
  }));

  serveCall(app, inviteLogin, async ({ body, request }) => ({
    error: 'false' as const,
    message: '',
    ...(await institute.logInByInvite(body.invite, callerOf(request))),
  }));
}
