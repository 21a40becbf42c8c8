/** The XRD matcher: which materials of the database a measured powder pattern is of. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../plugins/services.ts';
import { openThreadPool } from '../../threads/thread-pool.ts';
import { patterns } from './patterns.service.ts';
import { xrdRoutes } from './xrd.routes.ts';

export function xrdFeature(app: FastifyInstance, _services: Services): void {
  const threads = openThreadPool('xrd');
  app.addHook('onClose', () => threads.close());
  xrdRoutes(app, patterns(threads));
}
