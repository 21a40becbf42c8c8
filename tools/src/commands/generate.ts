/**
 * `npm run generate [-- --check] [part of a path]`: runs the generators of tables and goldens (`workshop/generators`), or checks
 * that what is committed is what they write.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository, root } from '../../lib/paths.mjs';
import { createProgress } from '../../lib/progress.mjs';
import { capture, tail } from '../../lib/run.mjs';

const GENERATORS = 'workshop/generators';

/** Files directly in the folder, and `generate.ts` of each subfolder. */
const generators = () =>
  readdirSync(inRepository(GENERATORS), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|[\\/])generate\.ts$/.test(name) || /^[\w-]+\.ts$/.test(name))
    .sort((a, b) => (a < b ? -1 : 1));

export async function main(words: readonly string[]): Promise<void> {
  const checking = words.includes('--check');
  const pattern = words.find((word) => word !== '--check') ?? '';
  const progress = createProgress({ quiet: true });
  for (const name of generators().filter((entry) => entry.includes(pattern))) {
    const file = inRepository(join(GENERATORS, name));
    if (checking && !readFileSync(file, 'utf8').includes('--check')) {
      progress.say(`  -  ${name} cannot check; run it and look at the difference`);
      continue;
    }
    const args = ['--import', 'tsx', file, ...(checking ? ['--check'] : [])];
    const { code, output } = await capture(process.execPath, args, { cwd: root });
    progress.say(`  ${code === 0 ? '✓' : '✗'}  ${name}: ${tail(output, code === 0 ? 1 : 15)}`);
    if (code !== 0) process.exitCode = 1;
  }
}
