/**
 * `node tools/run.mjs COMMAND …`: runs a tool (test, check, unitcell, dev, …). First installs missing
 * dependencies and bundles the tools; both are skipped when nothing changed. `--no-install` keeps the
 * dependencies as they are.
 */
import { bootstrap, loadTool } from './lib/bootstrap.mjs';
import { unitcellHome } from './lib/paths.mjs';
import { checkOpenFiles, prepareHome } from './lib/preflight.mjs';
import { createProgress } from './lib/progress.mjs';
import { explain } from './lib/user-error.mjs';
import { completeSettings, loadDotEnv } from './lib/settings.mjs';

/** Commands that work on an installation and therefore read its `.env`. */
const OPERATING = ['unitcell', 'dev'];

const words = process.argv.slice(2);
const install = words[0] !== '--no-install' || words.shift() === undefined;
const name = words.shift() ?? '';

try {
  if (OPERATING.includes(name)) {
    checkOpenFiles();
    loadDotEnv();
    prepareHome(unitcellHome());
  }
  completeSettings();
  await bootstrap(createProgress({ quiet: true }), { install });
  const { main } = await loadTool(name);
  await main(words);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
