/**
 * `npm run generate [-- --check] [part of a path]`: runs the generators of tables and goldens (`scripts/generators`), or checks
 * that what is committed is what they write.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from './lib/bootstrap.mjs';
import { inRepository, root } from './lib/paths.mjs';
import { createProgress } from './lib/progress.mjs';
import { capture, tail } from './lib/run.mjs';
import { explain } from './lib/sentence.mjs';

const GENERATORS = 'scripts/generators';

/** Files directly in the folder, and `generate.ts` of each subfolder. */
const generators = readdirSync(inRepository(GENERATORS), { recursive: true, encoding: 'utf8' })
  .filter((name) => /(^|[\\/])generate\.ts$/.test(name) || /^[\w-]+\.mjs$/.test(name))
  .sort((a, b) => (a < b ? -1 : 1));

const checking = process.argv.includes('--check');
const pattern = process.argv.slice(2).find((argument) => argument !== '--check') ?? '';

try {
  const progress = createProgress({ quiet: true });
  await bootstrap(progress);
  for (const name of generators.filter((entry) => entry.includes(pattern))) {
    const file = inRepository(join(GENERATORS, name));
    if (checking && !readFileSync(file, 'utf8').includes('--check')) {
      progress.say(`  -  ${name} cannot check; run it and look at the difference`);
      continue;
    }
    const { code, output } = await capture(
      process.execPath,
      ['--import', 'tsx', file, ...(checking ? ['--check'] : [])],
      { cwd: root },
    );
    progress.say(`  ${code === 0 ? '✓' : '✗'}  ${name}: ${tail(output, code === 0 ? 1 : 15)}`);
    if (code !== 0) process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
