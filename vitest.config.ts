import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './tools/src/patience.ts';

/**
 * Tiers, each of which starts the servers it needs: `unit` none, `api` PostgreSQL and Redis, `e2e` PostgreSQL under the built
 * site (and a Chromium of the machine), `clients` the site under programs of others (in a Python environment of its own). Run one with `npx vitest run --project unit [path]`.
 */
/** Ends what hangs. A machine with much else to do takes its time; how fast it is, no test of these asks. */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: PATIENCE_MS } } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.unit.test.{ts,tsx}',
            'tools/src/**/*.test.ts',
            'workshop/**/*.test.ts',
          ],
          environment: 'node',
          maxWorkers: 2,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'api',
          include: ['apps/api/src/**/*.test.ts'],
          exclude: ['**/*.unit.test.ts', '**/node_modules/**'],
          environment: 'node',
          globalSetup: ['tools/src/api-servers.ts'],
          maxWorkers: 2,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['apps/web/e2e/**/*.e2e.ts', 'tools/src/*.e2e.ts'],
          environment: 'node',
          globalSetup: ['tools/src/site-servers.ts'],
          maxWorkers: 2,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'clients',
          include: ['tools/src/clients/*.clients.ts', 'apps/web/e2e/*.clients.ts'],
          environment: 'node',
          // One environment for all files, made by the first.
          maxWorkers: 1,
          ...PATIENCE,
          testTimeout: 600_000,
        },
      },
    ],
  },
});
