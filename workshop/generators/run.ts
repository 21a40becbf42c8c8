/** `npm run generate [-- [--check] [NAME …]]`: writes the generated tables, or compares the committed ones. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const GENERATORS: Readonly<Record<string, string>> = {
  'hall-symbols': 'generators/hall-symbols.ts',
  kernel: 'generators/kernel/generate.ts',
  models: 'generators/models/generate.ts',
  nets: 'nets/generate.ts',
  potential: 'generators/potential/generate.ts',
  examples: 'generators/examples/generate.ts',
  'material-fields': 'generators/material-fields.ts',
  thermochemistry: 'generators/thermochemistry.ts',
  seed: 'generators/seed/generate.ts',
};

const words = process.argv.slice(2);
const isCheck = words.includes('--check');
const names = words.filter((word) => word !== '--check');
const unknown = names.filter((name) => !(name in GENERATORS));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(GENERATORS).join(', ')}.`);
  process.exitCode = 2;
} else
  for (const [name, file] of Object.entries(GENERATORS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    if (isCheck && name === 'examples') {
      console.log('-  examples need a site; run it and look at the difference');
      continue;
    }
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const cwd = fileURLToPath(new URL('../../', import.meta.url));
    const args = ['--import', 'tsx', path, ...(isCheck ? ['--check'] : [])];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd });
    console.log(`${status === 0 ? '✓' : '✗'}  ${name}`);
    if (status !== 0) process.exitCode = 1;
  }
