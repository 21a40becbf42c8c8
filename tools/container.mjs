/**
 * Entry point of every container of the image: `node tools/container.mjs main|worker|cli|deploy …`. Reads
 * secrets from files and builds the database URL from separate settings; then runs the program in the same
 * process, so that signals reach it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiDist } from './lib/paths.mjs';
import { explain } from './lib/user-error.mjs';
import { completeSettings } from './lib/settings.mjs';

const PROGRAMS = ['main', 'worker', 'cli', 'deploy'];

const [program = ''] = process.argv.splice(2, 1);
if (!PROGRAMS.includes(program)) {
  process.stderr.write(`There is no program "${program}": expected ${PROGRAMS.join(', ')}\n`);
  process.exit(1);
}
try {
  completeSettings();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
await import(pathToFileURL(join(apiDist, `${program}.js`)).href);
