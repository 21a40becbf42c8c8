/** Writes a generated file; with `--check` compares it with the committed one, and sets the exit status. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { root } from '../../tools/lib/paths.mjs';

export function writeOrCheck(file: URL, text: string): void {
  const name = fileURLToPath(file).replace(`${root}/`, '');
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not what its generator writes`);
    process.exitCode = 1;
  }
}
