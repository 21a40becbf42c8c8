/**
 * `npm run test:compose`: builds the images of this checkout and walks through the composition with a real container engine.
 * Skipped, with the reason, where there is none.
 *
 *   npm run test:compose                            every step, in a folder of its own, and everything taken down after
 *   npm run test:compose -- kill down-up            these steps, on what earlier ones left
 *   npm run test:compose -- --folder DIR --port 3900 --starts 10
 *
 * The report stands in FOLDER/report.md. Taken down by: npm run test:compose -- --down
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Sentence } from '../../tools/lib/sentence.mjs';
import { openComposition } from './composition.ts';
import { whatEngineLacks } from './engine.ts';
import { type Kept, STEPS } from './walk.ts';

export async function main(words: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      folder: { type: 'string', default: '/var/tmp/unitcell-walk' },
      port: { type: 'string', default: '3900' },
      starts: { type: 'string', default: '10' },
      down: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((word) => !STEPS.some(({ name }) => name === word));
  if (unknown.length > 0)
    throw new Sentence(
      `There is no step ${unknown.join(', ')}; there are ${STEPS.map(({ name }) => name).join(', ')}.`,
    );
  const lack = await whatEngineLacks();
  if (lack !== undefined) {
    process.stdout.write(`SKIPPED: the composition is not tested: ${lack}\n`);
    return;
  }
  const folder = resolve(values.folder);
  const site = await openComposition(folder, Number(values.port));
  const memory = join(folder, 'kept.json');
  const kept: Kept = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
  const steps = STEPS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  let failures = 0;
  if (!values.down || positionals.length > 0)
    for (const { name, what, run } of steps) {
      const begun = performance.now();
      const outcome = await run(site, kept, { starts: Number(values.starts) }).then(
        (seen) => ({ passed: true, said: seen }),
        (error: unknown) => ({ passed: false, said: error instanceof Error ? error.message : String(error) }),
      );
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      if (!outcome.passed) failures++;
      writeFileSync(memory, JSON.stringify(kept));
      const cell = outcome.said.replaceAll('\n', ' ').replaceAll('|', '\\|');
      writeFileSync(
        join(folder, 'report.md'),
        `| ${name} | ${what} | ${outcome.passed ? 'passed' : '**failed**'} | ${seconds} s | ${cell} |\n`,
        { flag: 'a' },
      );
      process.stdout.write(`${outcome.passed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s): ${outcome.said}\n`);
    }
  if (values.down || positionals.length === 0) await site.run('down', '--volumes', '--timeout', '5');
  process.exitCode = failures > 0 ? 1 : 0;
}
