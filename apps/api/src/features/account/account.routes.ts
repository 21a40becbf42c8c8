import {
  bindGetSmsToken,
  bindRequestSm,
  getUserInfor,
  loginCheckSm,
  loginGetSmsToken,
  loginRequestSm,
  logout,
  registerCheckSm,
  registerGetSmsToken,
  registerRequestSm,
} from '@unitcell/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { preferredLanguage } from '../../messages/messages.ts';
import { AppError } from '../../plugins/app-error.ts';
import { serveCall } from '../../plugins/serve-call.ts';
import { toUserInfor } from './account.mapper.ts';
import type { AccountRepository } from './account.repository.ts';
import type { Caller, Login } from './login.service.ts';

const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  language: preferredLanguage(request.headers['accept-language']),
});

const done = { error: 'false' as const, message: '' };

export function accountRoutes(
  app: FastifyInstance,
  { login, accounts }: { login: Login; accounts: AccountRepository },
): void {
  const requests = [
    [loginRequestSm, 'login', 'login.not-registered'],
    [registerRequestSm, 'register', 'login.already-registered'],
    [bindRequestSm, 'bind', 'login.code-sent'],
  ] as const;
  for (const [call, purpose, refusal] of requests)
    serveCall(app, call, async ({ body, request, t }) => {
      const answer = await login.requestCode(body.mobile, purpose, callerOf(request));
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
      const token = await login.exchangeCode(body.mobile, body.code, purpose, identity?.accountId ?? null);
      return { ...done, sms_token: token };
    });

  serveCall(app, loginCheckSm, async ({ body, request }) => ({
    ...done,
    token: await login.logIn(body.mobile, body.sms_token, callerOf(request)),
  }));

  serveCall(app, registerCheckSm, async ({ body, request }) => ({
    ...done,
    token: await login.register(body.mobile, body.sms_token, callerOf(request)),
  }));

  serveCall(app, getUserInfor, async ({ request }) => {
    const profile = await accounts.profile(request.identity!.accountId);
    if (!profile) throw new AppError('auth.invalid');
    return toUserInfor(profile);
  });

  serveCall(app, logout, async ({ body, request }) => {
    await login.logOut(request.identity!, body.everywhere, callerOf(request));
    return done;
  });
}
