/**
 * `/api/health`: this process is alive; it asks nobody, so that no queue makes a supervisor restart what is merely busy.
 * `/api/ready`: it can serve; asked by `npm start` and load balancers.
 */
import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { openDatabaseProbe } from '../infra/database-probe.ts';

/** Below this pictures and calculations find no room. */
const FULL_BYTES = 16 * 1024 * 1024;

/** Room where pictures are kept; null where that cannot be told. */
async function freeBytes(directory: string): Promise<number | null> {
  const found = await statfs(directory).catch(() => null);
  return found && found.bavail * found.bsize;
}

// Asked every few seconds by balancers and containers: in the log it would bury everything else.
const QUIET = { logLevel: 'warn' } as const;

export function healthRoutes(app: FastifyInstance, { databaseUrl, home }: Config): void {
  const database = openDatabaseProbe(databaseUrl, (error) =>
    app.log.warn({ err: error }, 'connection of /api/ready lost'),
  );
  app.addHook('onClose', () => database.close());

  app.get('/api/health', QUIET, async () => ({ status: 'ok' }));

  app.get('/api/ready', QUIET, async (_request, reply) => {
    if (!(await database.isThere())) return reply.status(503).send({ status: 'database unreachable' });
    const free = await freeBytes(home);
    // Searches, pages and sign-ins go on without room for files: the site stays in service and says what it lacks.
    return { status: 'ok', disk: free !== null && free < FULL_BYTES ? 'full' : 'ok' };
  });
}
