/** What the web client has to know of this installation; asked anew at each visit, because the operator may change it. */
import { type Analytics, SITE_CONFIG_PATH, type SiteConfig } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';

export function siteConfigRoutes(app: FastifyInstance, analytics: Analytics | null): void {
  const answer: SiteConfig = { analytics };
  app.get(SITE_CONFIG_PATH, (_request, reply) => reply.header('Cache-Control', 'no-cache').send(answer));
}
