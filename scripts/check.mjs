/** `npm run check`: format, boundaries, lint, types, dead code. Exit code 1 when one of them fails. */
import { bootstrap } from './lib/bootstrap.mjs';
import { runChecks } from './lib/checks.mjs';
import { createProgress } from './lib/progress.mjs';
import { explain } from './lib/sentence.mjs';

try {
  const progress = createProgress({ write: (text) => process.stdout.write(text), quiet: true });
  await bootstrap(progress);
  process.exitCode = (await runChecks(progress)) > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
