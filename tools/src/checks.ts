import type { Progress } from '../lib/bootstrap.mjs';
import { inRepository, root } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

const bin = (name: string) => inRepository('node_modules', '.bin', name);

const SHOWN_LINES = 60;

/** The first lines, and the number of further ones. */
function head(output: string): string {
  const lines = output.trim().split('\n');
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… ${more} more lines`].join('\n') : lines.join('\n');
}

interface Check {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Command or advice that fixes a failure. */
  readonly remedy: string;
}

/** The static checks. Types come before lint, because the type-aware lint reads the compiler's output. */
export const CHECKS: readonly Check[] = [
  {
    title: 'format',
    command: bin('biome'),
    args: ['format', '--reporter=summary', '.'],
    remedy: 'npm run format',
  },
  {
    title: 'boundaries',
    command: bin('oxlint'),
    args: ['-c', 'fences.config.mjs', '--quiet', 'packages', 'apps'],
    remedy: 'the remedy stands with each line',
  },
  { title: 'types', command: bin('tsc'), args: ['-b'], remedy: 'npm run types' },
  {
    title: 'lint',
    command: bin('oxlint'),
    args: ['--type-aware', '--quiet', '--format=unix'],
    remedy: 'npm run lint',
  },
  {
    title: 'dead code',
    command: bin('knip'),
    args: ['--no-progress', '--no-config-hints'],
    remedy: 'npm run dead-code',
  },
  {
    title: 'generated',
    command: bin('tsx'),
    args: [inRepository('workshop/generators/run.ts'), '--check', 'material-fields', 'hall-symbols'],
    remedy: 'npm run generate material-fields hall-symbols',
  },
];

/** Checks that schema and migrations agree. Starts a PostgreSQL server. */
export const MIGRATION_DRIFT: Check = {
  title: 'migrations',
  command: bin('tsx'),
  args: [inRepository('prisma/author.ts'), 'diff'],
  remedy: 'npx tsx prisma/author.ts dev <name>',
};

/** Types and lint take most of the time: they run one after the other, in parallel with the rest. */
const isLong = ({ title }: Check): boolean => title === 'types' || title === 'lint';

/** Runs static checks, two at a time. @returns the number of failures */
export async function runChecks(checks: readonly Check[], progress: Progress): Promise<number> {
  let failed = 0;
  const env = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' };
  const run = async (queue: readonly Check[]) => {
    for (const { title, command, args, remedy } of queue) {
      const begun = performance.now();
      const { code, output } = await capture(command, args, { cwd: root, env });
      const time = progress.seconds(performance.now() - begun);
      if (code === 0) {
        progress.say(`  ✓  ${title} (${time})`);
      } else {
        failed += 1;
        progress.say(`  ✗  ${title} (${time}); to repair: ${remedy}\n${head(output)}\n`);
      }
    }
  };
  await Promise.all([run(checks.filter(isLong)), run(checks.filter((check) => !isLong(check)))]);
  return failed;
}
