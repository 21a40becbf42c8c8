import { defineConfig } from 'vitest/config';

/**
 * Three tiers. `unit` needs nothing; `api` needs a PostgreSQL server (TEST_DATABASE_URL, set by scripts/test.mjs);
 * `e2e` needs that and Chromium. Run one with `npx vitest run --project unit [path]`.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: { '@testing': new URL('./testing', import.meta.url).pathname } },
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.unit.test.{ts,tsx}',
            'scripts/**/*.test.{ts,mjs}',
          ],
          environment: 'node',
          testTimeout: 60_000,
        },
      },
      {
        resolve: { alias: { '@testing': new URL('./testing', import.meta.url).pathname } },
        test: {
          name: 'api',
          include: ['apps/api/src/**/*.test.ts'],
          exclude: ['**/*.unit.test.ts', '**/node_modules/**'],
          environment: 'node',
          globalSetup: ['apps/api/src/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        resolve: { alias: { '@testing': new URL('./testing', import.meta.url).pathname } },
        test: {
          name: 'e2e',
          include: ['apps/web/e2e/**/*.e2e.ts'],
          environment: 'node',
          globalSetup: ['apps/web/e2e/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
