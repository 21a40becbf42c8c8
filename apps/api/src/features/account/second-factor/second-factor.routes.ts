import {
  getSecondFactor,
  secondFactorConfirm,
  secondFactorDisable,
  secondFactorEnroll,
  secondFactorVerify,
} from '@unitcell/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../messages/app-error.ts';
import type { Identity } from '../../../http/auth.ts';
import { serveCall } from '../../../http/serve-call.ts';
import { callerOf } from '../caller.ts';
import type { SecondFactors } from './second-factor.service.ts';

const done = { error: 'false' as const, message: '' };

export function secondFactorRoutes(app: FastifyInstance, factors: SecondFactors): void {
  /** Who is signed in, where there is no sign-in under way. @throws AppError auth.missing */
  async function signedIn(request: FastifyRequest): Promise<Identity> {
    const identity = await app.optionalIdentity(request);
    if (!identity) throw new AppError('auth.missing');
    return identity;
  }

  serveCall(app, getSecondFactor, async ({ identity }) => factors.state(identity));

  serveCall(app, secondFactorVerify, async ({ body, request }) => ({
    ...done,
    token: await factors.verify(body.challenge, body.code, callerOf(request)),
  }));

  serveCall(app, secondFactorEnroll, async ({ body, request }) => {
    if (body.challenge !== undefined) return { ...done, ...(await factors.enrollToEnter(body.challenge)) };
    return { ...done, ...(await factors.enroll(await signedIn(request), body.sms_token ?? '')) };
  });

  serveCall(app, secondFactorConfirm, async ({ body, request }) => {
    const { challenge, code } = body;
    const caller = callerOf(request);
    if (challenge === undefined)
      return { ...done, recovery_codes: await factors.confirm(await signedIn(request), code, caller) };
    const { recoveryCodes, token } = await factors.confirmToEnter(challenge, code, caller);
    return { ...done, recovery_codes: recoveryCodes, token };
  });

  serveCall(app, secondFactorDisable, async ({ body, identity, request }) => {
    await factors.disable(identity, body.code, callerOf(request));
    return done;
  });
}
