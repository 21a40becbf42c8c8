/** The secret that ties a third-party sign-in to the browser it began in. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const LIFETIME_SECONDS = 1800;
const VALUE = /^[\w-]{43}$/;

export function browserCookie(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  // The prefix makes browsers refuse a cookie that another host or a plain connection tries to plant.
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

    /** The browser's secret, made when it has none. Lax: it must survive the way back from the provider. */
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

export type BrowserCookie = ReturnType<typeof browserCookie>;
