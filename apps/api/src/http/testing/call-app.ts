/** An app with a test's own calls, without a database; tokens name members (`token 7` is account 7). */
import fastifyMultipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { readLimits } from '../../config/limits.ts';
import { registerAuth } from '../auth.ts';
import { registerBudgets } from '../budgets.ts';
import { registerErrors } from '../errors.ts';

export async function callApp(env: Readonly<Record<string, string>> = {}): Promise<FastifyInstance> {
  const app = fastify();
  app.setSerializerCompiler(serializerCompiler);
  registerErrors(app, () => null);
  await app.register(fastifyMultipart);
  registerBudgets(app, readLimits(env));
  registerAuth(app, async (token) =>
    token.startsWith('key')
      ? { accountId: 1, sessionId: null, userType: 1, apiKeyId: Number(token.slice(3)) }
      : { accountId: Number(token), sessionId: 'one', userType: 1 },
  );
  return app;
}
