/**
 * Once per run of the API tests (vitest's globalSetup): the programs that tests run as processes, built; a PostgreSQL server with the
 * migrated template its test databases are copied from, and a Redis server where there is one.
 */
import type { TestProject } from 'vitest/node';
import { buildApi } from './bundle.ts';
import { ensureTemplate, startTestPostgres } from './test-postgres.ts';
import { startTestRedis } from './test-redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServerUrl: string;
    testTemplate: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [server, redis] = await Promise.all([startTestPostgres(), startTestRedis(), buildApi()]);
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', await ensureTemplate(server.url));
  if (redis) process.env.TEST_REDIS_URL = redis.url;
  return async () => {
    await redis?.stop();
    await server.stop();
  };
}
