/** `npm run check`: format, boundaries, lint, types, dead code. Exit code 1 on a failure. */
import { createProgress } from '../../lib/progress.mjs';
import { CHECKS, runChecks } from '../checks.ts';

export async function main(): Promise<void> {
  const progress = createProgress({ write: (text) => void process.stdout.write(text) });
  process.exitCode = (await runChecks(CHECKS, progress)) > 0 ? 1 : 0;
}
