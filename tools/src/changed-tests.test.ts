import { expect, it } from 'vitest';
import { reachOf } from './changed-tests.ts';

it('a change of prose reaches no server and no browser', () => {
  expect(reachOf(['README.md', 'docs/api/index.md'])).toEqual({ unit: 'related', api: [], e2e: [] });
});

it.each([
  ['a feature of the api', 'apps/api/src/features/xrd/xrd.service.ts', ['apps/api/src/features/xrd/']],
  ['its contract', 'packages/contract/src/xrd/match.ts', ['apps/api/src/features/xrd/']],
  ['what all features share', 'apps/api/src/infra/queue.ts', ['every-route', 'apps/api/src/infra/']],
  ['a package of science', 'packages/crystal/src/lattice.ts', ['every-route']],
  ['a test of the api', 'apps/api/src/infra/queue.test.ts', ['apps/api/src/infra/queue.test.ts']],
  ['the web client', 'apps/web/src/lib/time.ts', []],
])('%s reaches its own tests of the api', (_, file, api) => {
  expect(reachOf([file]).api).toEqual(api);
});

it.each([
  ['a page', 'apps/web/src/features/xrd/xrd-page.tsx', ['apps/web/e2e/xrd', 'newcomer', 'every-page']],
  ['a call', 'apps/api/src/features/xrd/xrd.service.ts', ['apps/web/e2e/xrd', 'newcomer']],
  ['a journey', 'apps/web/e2e/paper.e2e.ts', ['apps/web/e2e/paper.e2e.ts']],
  ['a test of a page', 'apps/web/src/features/xrd/xrd.unit.test.ts', []],
])('%s reaches its journeys', (_, file, e2e) => {
  expect(reachOf([file]).e2e).toEqual(e2e);
});

it('a file that tests read and do not import reaches the whole tier', () => {
  expect(reachOf(['docker-compose.yml']).unit).toBe('all');
  expect(reachOf(['seed-data/materials.jsonl']).unit).toBe('all');
  expect(reachOf(['prisma/migrations/1_x/migration.sql'])).toMatchObject({ unit: 'all', api: 'all' });
});
