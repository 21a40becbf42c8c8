import { randomBytes } from 'node:crypto';
import {
  githubBind,
  githubLogin,
  githubRegister,
  githubUnbind,
  oidcLogin,
  THIRD_PARTY_PROVIDERS,
  wechatBind,
  wechatLogin,
  wechatRegister,
  wechatUnbind,
} from '@unitcell/contract/account';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serveCall } from '../../../http/serve-call.ts';
import { originOf } from '../request-origin.ts';
import type { Entered } from '../login.service.ts';
import type { ThirdParty } from './third-party.service.ts';

/** The cookie that ties a third-party sign-in to the browser that began it. */
const LIFETIME_SECONDS = 1800;
const VALUE = /^[\w-]{43}$/;

export function browserCookie(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  // With this prefix browsers reject a cookie planted by another host or over plain HTTP.
  const name = isSecure ? '__Host-unitcell_browser' : 'unitcell_browser';

  function read(request: FastifyRequest): string | null {
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const [key, value = ''] = part.trim().split('=');
      if (key === name && VALUE.test(value)) return value;
    }
    return null;
  }

  return {
    read,

    /** The browser's secret, created if missing. Lax: it must survive the redirect from the provider. */
    ensure(request: FastifyRequest, reply: FastifyReply): string {
      const value = read(request) ?? randomBytes(32).toString('base64url');
      void reply.header(
        'Set-Cookie',
        `${name}=${value}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
      );
      return value;
    },
  };
}

type BrowserCookie = ReturnType<typeof browserCookie>;

const entered = (how: Entered | null) => ({ error: 'false' as const, message: '', ...how });

const textOf = (query: unknown, field: string): string => {
  const value = (query as Record<string, unknown>)[field];
  return typeof value === 'string' ? value.slice(0, 1024) : '';
};

export function thirdPartyRoutes(
  app: FastifyInstance,
  { thirdParty, cookie }: { thirdParty: ThirdParty; cookie: BrowserCookie },
): void {
  for (const [call, name] of [
    [githubLogin, 'github'],
    [wechatLogin, 'wechat'],
    [oidcLogin, 'oidc'],
  ] as const)
    serveCall(app, call, async ({ body, request, reply }) => {
      const accountId = (await app.optionalIdentity(request))?.accountId ?? null;
      const browser = cookie.ensure(request, reply);
      const begun = { redirectUri: body.redirect_uri, browser, accountId };
      return {
        error: 'false' as const,
        message: '',
        url: await thirdParty.begin(name, begun, originOf(request)),
      };
    });

  // The address contains a code and a state, so it is kept out of the log.
  for (const name of [...THIRD_PARTY_PROVIDERS, 'oidc'] as const)
    app.get(`/api/arkid/${name}/callback/`, { logLevel: 'warn' }, async (request, reply) => {
      const query = {
        state: textOf(request.query, 'state'),
        code: textOf(request.query, 'code'),
        error: textOf(request.query, 'error'),
        query: new URL(request.url, 'http://here').search,
      };
      const page = await thirdParty.finish(name, query, cookie.read(request), originOf(request));
      return reply.header('Cache-Control', 'no-store').redirect(page, 303);
    });

  serveCall(app, githubBind, async ({ body, request }) => {
    const bound = { smsToken: body.sms_token, thirdPartyId: body.github_id, mayRegister: false };
    const identity = await app.optionalIdentity(request);
    return entered(
      await thirdParty.enter('github', bound, cookie.read(request), identity, originOf(request)),
    );
  });

  serveCall(app, wechatBind, async ({ body, request }) => {
    const bound = { smsToken: body.sms_token, thirdPartyId: body.wechat_id, mayRegister: false };
    const identity = await app.optionalIdentity(request);
    return entered(
      await thirdParty.enter('wechat', bound, cookie.read(request), identity, originOf(request)),
    );
  });

  serveCall(app, githubRegister, async ({ body, request }) => {
    const { mobile, sms_token: smsToken, github_id: thirdPartyId } = body;
    const bound = { smsToken, thirdPartyId, mobile, mayRegister: true };
    return entered(await thirdParty.enter('github', bound, cookie.read(request), null, originOf(request)));
  });

  serveCall(app, wechatRegister, async ({ body, request }) => {
    const { mobile, sms_token: smsToken, wechat_id: thirdPartyId } = body;
    const bound = { smsToken, thirdPartyId, mobile, mayRegister: true };
    return entered(await thirdParty.enter('wechat', bound, cookie.read(request), null, originOf(request)));
  });

  for (const [call, name] of [
    [githubUnbind, 'github'],
    [wechatUnbind, 'wechat'],
  ] as const)
    serveCall(app, call, async ({ body, identity, request }) => {
      await thirdParty.unbind(name, body.sms_token, identity, originOf(request));
      return { error: 'false' as const, message: '' };
    });
}
