import type { Progress } from '../lib/bootstrap.mjs';
import { inRepository, root } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

const SHOWN_LINES = 60;

/** The first lines, and the number of further lines. */
function head(output: string): string {
  const lines = output.trim().split('\n');
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… ${more} more lines`].join('\n') : lines.join('\n');
}

export interface Check {
  readonly title: string;
  /** A program of node_modules/.bin and its arguments, separated by spaces. */
  readonly command: string;
  /** Command or advice that fixes a failure. */
  readonly remedy: string;
}

const GENERATED = 'material-fields hall-symbols';
const FENCES = 'oxlint -c fences.config.mjs --quiet packages apps';

/**
 * The static checks. Types come before lint, because the type-aware lint reads the compiler's output.
 * Projects are checked one at a time with one checker: parallel checks need more memory, and several checkers
 * check shared types again.
 */
export const CHECKS: readonly Check[] = [
  { title: 'format', command: 'biome format --reporter=summary .', remedy: 'npm run format' },
  { title: 'boundaries', command: FENCES, remedy: 'each line says what to do' },
  { title: 'types', command: 'tsc -b --builders 1 --checkers 1', remedy: 'npm run types' },
  { title: 'lint', command: 'oxlint --type-aware --quiet --format=unix', remedy: 'npm run lint' },
  { title: 'dead code', command: 'knip --no-progress --no-config-hints', remedy: 'npm run dead-code' },
  {
    title: 'generated',
    command: `tsx workshop/generators/run.ts --check ${GENERATED}`,
    remedy: `npm run generate ${GENERATED}`,
  },
];

/** Checks that schema and migrations agree. Starts a PostgreSQL server. */
export const MIGRATION_DRIFT: Check = {
  title: 'migrations',
  command: 'tsx prisma/author.ts diff',
  remedy: 'npx tsx prisma/author.ts dev <name>',
};

/** The build that the journeys need. It runs beside the unit tests, because it mostly uses one core. */
export const BUILD: Check = {
  title: 'build',
  command: 'tsx tools/run.mjs --no-install build',
  remedy: 'node tools/run.mjs build',
};

/** Types and lint take most of the time: they run one after the other, in parallel with the rest. */
const isLong = ({ title }: Check): boolean => title === 'types' || title === 'lint';

/** Runs static checks, two at a time. @returns the number of failures */
export async function runChecks(checks: readonly Check[], progress: Progress): Promise<number> {
  let failed = 0;
  // The compiler and the type-aware lint are Go programs. Their garbage collector took a quarter of their time.
  const env = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', GOGC: '400' };
  const run = async (queue: readonly Check[]) => {
    for (const { title, command, remedy } of queue) {
      const begun = performance.now();
      const [program = '', ...args] = command.split(' ');
      const { code, output } = await capture(inRepository('node_modules/.bin', program), args, {
        cwd: root,
        env,
      });
      const time = progress.seconds(performance.now() - begun);
      if (code === 0) {
        progress.say(`  ✓  ${title} (${time})`);
      } else {
        failed += 1;
        progress.say(`  ✗  ${title} (${time}); fix: ${remedy}\n${head(output)}\n`);
      }
    }
  };
  await Promise.all([run(checks.filter(isLong)), run(checks.filter((check) => !isLong(check)))]);
  return failed;
}
