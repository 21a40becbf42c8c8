import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needProgram } from '@unitcell/tools/system-programs';
import { expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../../../deploy/monitoring/', import.meta.url));
const run = promisify(execFile);

it('promtool accepts the alert rules, and they fire when they should', async () => {
  const promtool = needProgram('prometheus');
  const checked = await run(promtool, ['check', 'rules', `${FOLDER}unitcell.rules.yml`]);
  expect(checked.stdout).toContain('12 rules found');
  const tested = await run(promtool, ['test', 'rules', `${FOLDER}unitcell.rules.test.yml`]);
  expect(tested.stdout).toContain('SUCCESS');
});
