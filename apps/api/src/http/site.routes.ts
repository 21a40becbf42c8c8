/** What a visitor's programs have to know of this installation: its settings for the web client, where to report a weakness, the API description. */
import { type Analytics, SITE_CONFIG_PATH, type SiteConfig } from '@unitcell/contract/site-config';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { AppError } from '../messages/app-error.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { isKnown, weakTag } from './representation.ts';

export function siteConfigRoutes(app: FastifyInstance, analytics: Analytics | null): void {
  const answer: SiteConfig = { analytics };
  app.get(SITE_CONFIG_PATH, (_request, reply) => reply.header('Cache-Control', 'no-cache').send(answer));
}

// ── `/.well-known/security.txt` (RFC 9116): where to report a weakness of this installation ──

const PATH = '/.well-known/security.txt';
/** RFC 9116, section 2.5.5, asks for less than a year. */
const VALID_MILLISECONDS = 180 * 86_400_000;

export function securityTxtRoute(
  app: FastifyInstance,
  { securityContact, publicUrl }: Pick<Config, 'securityContact' | 'publicUrl'>,
): void {
  app.get(PATH, async (_request, reply) => {
    if (securityContact === null) throw new AppError('request.not-found');
    const expires = new Date(Date.now() + VALID_MILLISECONDS);
    expires.setUTCHours(0, 0, 0, 0);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: zh, en',
      `Canonical: ${publicUrl}${PATH}`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

/** The description of the API, for everybody: whoever applies for a key can see what it would open. */
export function openApiRoutes(app: FastifyInstance): void {
  let kept: { readonly text: string; readonly tag: string } | undefined;
  const make = () => {
    const text = JSON.stringify(openApiDocument());
    return { text, tag: weakTag(text) };
  };
  app.get('/api/openapi.json', async (request, reply) => {
    const { text, tag } = (kept ??= make());
    void reply.headers({ ETag: tag, 'Cache-Control': 'public, max-age=300' });
    if (isKnown(request, tag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
