import { existsSync, readdirSync } from 'node:fs';
import { inRepository, root } from './paths.mjs';
import { capture } from './run.mjs';

const bin = (name) => inRepository('node_modules', '.bin', name);
const hasMigrations = () =>
  readdirSync(inRepository('prisma/migrations'), { withFileTypes: true }).some((e) => e.isDirectory());

const SHOWN_LINES = 60;

/** The first lines, and how many more there are. */
function head(output) {
  const lines = output.trim().split('\n');
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… ${more} more lines`].join('\n') : lines.join('\n');
}

/** The static checks, cheapest first: `{ title, command, args, remedy }`. */
const CHECKS = [
  {
    title: 'format',
    command: bin('biome'),
    args: ['format', '--reporter=summary', '.'],
    remedy: 'npm run format',
  },
  {
    title: 'boundaries',
    command: process.execPath,
    args: [inRepository('scripts/check-boundaries.mjs')],
    remedy: 'the remedy stands below each line',
  },
  {
    title: 'lint',
    command: bin('oxlint'),
    args: ['--type-aware', '--quiet', '--format=unix'],
    remedy: 'npm run lint',
  },
  { title: 'types', command: bin('tsc'), args: ['-b'], remedy: 'npm run types' },
  {
    title: 'dead code',
    command: bin('knip'),
    args: ['--no-progress', '--no-config-hints'],
    remedy: 'npm run dead-code',
  },
];

/** Schema and migrations say the same; needs a PostgreSQL server. */
const migrationDrift = {
  title: 'migrations',
  command: bin('tsx'),
  args: [inRepository('prisma/author.ts'), 'diff'],
  remedy: 'npx tsx prisma/author.ts dev <name>',
};

/**
 * Runs the static checks and prints a line for each.
 * @param {{ say: (text: string) => void, seconds: (ms: number) => string }} progress
 * @param {{ databaseUrl?: string }} [options] with a server, the drift check runs too
 * @returns {Promise<number>} how many failed
 */
export async function runChecks(progress, { databaseUrl } = {}) {
  let failed = 0;
  const checks =
    databaseUrl && hasMigrations() && existsSync(migrationDrift.args[0])
      ? [...CHECKS, migrationDrift]
      : CHECKS;
  for (const { title, command, args, remedy } of checks) {
    const begun = performance.now();
    const env = {
      ...process.env,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      FORCE_COLOR: '0',
      NO_COLOR: '1',
    };
    const { code, output } = await capture(command, args, { cwd: root, env });
    const time = progress.seconds(performance.now() - begun);
    if (code === 0) {
      progress.say(`  ✓  ${title} (${time})`);
    } else {
      failed += 1;
      progress.say(`  ✗  ${title} (${time}); to repair: ${remedy}\n${head(output)}\n`);
    }
  }
  return failed;
}
