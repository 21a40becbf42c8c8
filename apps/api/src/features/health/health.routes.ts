/** Is this process able to serve? Asked by `npm start`, containers and load balancers. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../plugins/database.ts';

export function healthRoutes(app: FastifyInstance, { pool }: Database): void {
  app.get('/api/health', async (_request, reply) => {
    try {
      await pool.query('SELECT 1');
      return { status: 'ok' };
    } catch {
      return reply.status(503).send({ status: 'database unreachable' });
    }
  });
}
