/** Runs the queue tests with Redis as well. */
import { freePort } from '@unitcell/tools/postgres';
import { startRedisAt } from '@unitcell/tools/system-programs';
import { afterAll } from 'vitest';

const redis = await startRedisAt(await freePort());
afterAll(() => redis.kill());
process.env.TEST_REDIS_URL = redis.url;
await import('./queue.test.ts');
