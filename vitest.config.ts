import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_TIMEOUT_MS } from './tools/src/timeouts.ts';

/**
 * Tiers; each starts the servers it needs in its globalSetup, so that `npx vitest run --project api search` works by itself.
 *
 * unit       pure functions and components, no server
 * api        calls on a real PostgreSQL
 * e2e        journeys in a real browser on the built site
 * institute  `*.institute.ts`: needs programs that npm does not bring (Redis, Slurm, sshd, slapd, Caddy, promtool, ABINIT, Python)
 * nightly    `*.nightly.ts`, and tests of the tiers above with more cases: endurance, crowds, kills, whole-catalogue sweeps
 * workshop   tests of what makes the product and is not part of it
 */

/** Upper limits for hung tests. Generous on purpose: no test may depend on the speed of the machine. */
const limits = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: TEST_TIMEOUT_MS } } };
/**
 * V8 11 (Node 20) soon compiles a function again for speed. Most functions of the api tier run too rarely to repay that.
 * Later versions have a cheaper compiler and not this flag.
 */
const COMPILE_LATE = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : [];
// A third worker would import all modules once more and, on two cores, save no time.
const shared = { environment: 'node', maxWorkers: 2, ...limits };

/** With NIGHTLY set, these tests check more cases or all of them. */
const MORE_AT_NIGHT = [
  'apps/api/src/catalogue/records/many-sources.test.ts',
  'apps/api/src/catalogue/tensor-frame.unit.test.ts',
  'apps/api/src/features/about/markdown.unit.test.ts',
  'apps/api/src/features/coatings/coatings.test.ts',
  'apps/api/src/features/run4u/{load,pipeline,worker-killed}.test.ts',
  'apps/api/src/features/screen/{screen-random,download/large-result}.test.ts',
  'apps/api/src/features/xrd/instances.test.ts',
  'apps/api/src/testing/published-hulls.test.ts',
  'apps/web/e2e/{account,api-keys,coatings,collecting,completeness,connection,electrodes}.e2e.ts',
  'apps/web/e2e/{every-page-{desktop,phone},every-page-phone,newcomer,operate,paper,phases,predict,provenance}.e2e.ts',
  'apps/web/e2e/{run4u,run4u-predicted,screening,second-factor,stability,tight-binding,viewer,viewer-gestures,xrd-identify}.e2e.ts',
  'apps/web/src/viz/crystal-viewer/seed-in-view.unit.test.ts',
  'packages/crystal/src/io/mutated-files.test.ts',
  'packages/diffraction/src/{match-quality,instrument/instrument-files,refinement/refine}.test.ts',
  'packages/numerics/src/lower-envelope.test.ts',
  'packages/phase-equilibria/src/hull.test.ts',
  'packages/potential/src/{nudged-elastic-band,phonon-files/mutants}.test.ts',
  'packages/symmetry/src/{catalogue-cells,prototype}.test.ts',
  'tools/src/site-survives.e2e.ts',
];

/** A fresh clone knows no durations and would begin the longest files last, when the other workers are done. */
const LONGEST = /every-page|page-states|built-in-engine|fresh-install|pipeline|design\.test|xrd-identify/;

/** First line of a test of the web client that reads files or runs code of the server. */
const NEEDS_NODE = '// @vitest-environment node';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): number => Number(LONGEST.test(moduleId));
    // A worker ends when the next file needs another kind of worker, so files of a kind follow each other.
    const kind = ({ project, moduleId }: TestSpecification): string =>
      project.name + readFileSync(moduleId, 'utf8').startsWith(NEEDS_NODE);
    return (await super.sort(files))
      .sort((a, b) => isLong(b) - isLong(a))
      .sort((a, b) => kind(a).localeCompare(kind(b)));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Tiers share transformed modules: api needs most of those that unit has transformed.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/api/src/**/*.unit.test.ts'],
          ...shared,
          // Each worker imports a module once, not once per file: importing took half of the time of the tier.
          isolate: false,
        },
      },
      {
        test: {
          name: 'unit:web',
          include: ['apps/web/src/**/*.unit.test.{ts,tsx}'],
          ...shared,
          environment: 'happy-dom',
          // A link that is followed or downloaded must not change the address of the window: the files of a worker share it.
          environmentOptions: {
            happyDOM: {
              settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
            },
          },
          setupFiles: ['apps/web/src/testing/setup.ts'],
          // Each worker imports a module once, not once per file: importing took half of the time of the tier. So `vi.mock`
          // has no effect on a module that an earlier file imported. Globals that a test replaces are restored after it.
          isolate: false,
          unstubGlobals: true,
          restoreMocks: true,
        },
      },
      {
        test: {
          // Tests of the tools start programs and change the environment of their process.
          name: 'unit:tools',
          include: ['tools/src/**/*.test.ts'],
          ...shared,
        },
      },
      {
        test: {
          name: 'api',
          include: ['apps/api/src/**/*.test.ts'],
          exclude: ['**/*.unit.test.ts', '**/node_modules/**'],
          globalSetup: ['tools/src/api-servers.ts'],
          // The files of a worker share the modules of the application: loading them takes seconds, and 100 files need them.
          isolate: false,
          ...shared,
          // Half of their time is spent waiting: for a lock, a queue, a process that starts.
          maxWorkers: 4,
          // Room for young objects: collecting them took a tenth of the processor time.
          execArgv: ['--max-semi-space-size=64', ...COMPILE_LATE],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['apps/web/e2e/**/*.e2e.ts', 'tools/src/*.e2e.ts'],
          globalSetup: ['tools/src/site-servers.ts'],
          // The files of a worker share imported modules and one Chromium: both take seconds to start.
          isolate: false,
          ...shared,
          // Journeys wait for the page a third of their time.
          maxWorkers: 4,
        },
      },
      {
        test: {
          name: 'institute',
          include: ['{apps,packages,tools}/**/*.institute.ts', '{apps,tools}/**/*.clients.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['tools/src/api-servers.ts', 'tools/src/site-servers.ts'],
          ...shared,
          // One Python environment for all files, made by the first.
          maxWorkers: 1,
          testTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'nightly',
          include: ['{apps,tools}/**/*.nightly.ts', ...MORE_AT_NIGHT],
          env: { NIGHTLY: 'yes' },
          exclude: ['**/node_modules/**'],
          globalSetup: ['tools/src/api-servers.ts', 'tools/src/site-servers.ts'],
          ...shared,
        },
      },
      {
        test: {
          name: 'workshop',
          include: ['workshop/**/*.test.ts', 'workshop/**/*.nightly.ts'],
          ...shared,
        },
      },
    ],
  },
});
