/**
 * `npm run generate [-- [--check] [NAME …]]`: writes the tables that are made by program, or checks that what is committed is what
 * they write. A model is only checked where TRAINING_DATA names no data (models/generate.ts).
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Each with the file that makes it, and whether it takes `--check`. */
const GENERATORS: Readonly<Record<string, readonly [file: string, checks: boolean]>> = {
  'hall-symbols': ['generators/hall-symbols.ts', true],
  kernel: ['generators/kernel/generate.ts', true],
  models: ['generators/models/generate.ts', true],
  nets: ['nets/generate.ts', true],
  examples: ['generators/examples/generate.ts', false],
  'python-material': ['generators/python-material.ts', true],
  seed: ['generators/seed/generate.ts', false],
};

const words = process.argv.slice(2);
const isCheck = words.includes('--check');
const names = words.filter((word) => word !== '--check');
const unknown = names.filter((name) => !(name in GENERATORS));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(GENERATORS).join(', ')}.`);
  process.exitCode = 2;
} else
  for (const [name, [file, checks]] of Object.entries(GENERATORS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    if (isCheck && !checks) {
      console.log(`-  ${name} cannot check; run it and look at the difference`);
      continue;
    }
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const cwd = fileURLToPath(new URL('../../', import.meta.url));
    const { status } = spawnSync(
      process.execPath,
      ['--import', 'tsx', path, ...(isCheck ? ['--check'] : [])],
      {
        stdio: 'inherit',
        cwd,
      },
    );
    console.log(`${status === 0 ? '✓' : '✗'}  ${name}`);
    if (status !== 0) process.exitCode = 1;
  }
