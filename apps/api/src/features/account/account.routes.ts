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
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import { toUserInfor } from './account.mapper.ts';
import { callerOf } from './caller.ts';
import type { Login } from './login.service.ts';
import type { Profile } from './profile.service.ts';

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
      const answer = await login.requestCode(body.mobile, purpose, callerOf(request), body.proof);
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
      const token = await login.exchangeCode({ ...body, purpose, accountId }, callerOf(request));
      return { ...done, sms_token: token };
    });

  serveCall(app, loginCheckSm, async ({ body, request }) => ({
    ...done,
    ...(await login.logIn(body.mobile, body.sms_token, callerOf(request))),
  }));

  serveCall(app, registerCheckSm, async ({ body, request }) => ({
    ...done,
    ...(await login.register(body.mobile, body.sms_token, callerOf(request))),
  }));

  serveCall(app, getUserInfor, async ({ identity, request }) => ({
    ...toUserInfor(await profile.current(identity.accountId)),
    ...(request.freshToken === null ? {} : { token: request.freshToken }),
  }));

  serveCall(app, logout, async ({ body, identity, request }) => {
    await login.logOut(identity, body.everywhere, callerOf(request));
    return done;
  });
}
