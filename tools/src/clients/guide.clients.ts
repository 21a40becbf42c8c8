/**
 * Runs the example session of docs/api/python.md as written (commands in a shell, programs in one Python
 * session), and the notebooks of the documentation.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inRepository } from '../../lib/paths.mjs';
import { mustRun } from '../../lib/run.mjs';
import { pythonEnvironment } from './python-environment.ts';
import { startSiteWithKey } from './site-with-key.ts';

const guide = readFileSync(inRepository('docs/api/python.md'), 'utf8');
const walk = /## Example session\n([\s\S]*?)\n## /.exec(guide)?.[1] ?? '';
const blocks = (language: string): string[] =>
  [...walk.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

const INSTALL_MS = 600_000;

// Working folder of the guide, and the address of a site.
const folder = mkdtempSync(join(tmpdir(), 'unitcell-guide-'));
const { site, key } = await startSiteWithKey();
const env = { ...process.env, UNITCELL_URL: site.url, UNITCELL_KEY: key };
const [install = ''] = blocks('sh');
// If the Python registry is reachable, the installation described in the guide must not fail.
const python = await pythonEnvironment();

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
}
const notebooks = inRepository('docs/public/notebooks');

afterAll(async () => {
  await site.stop();
  rmSync(folder, { recursive: true });
});

describe('docs/api/python.md', () => {
  it('runs as written', async () => {
    await mustRun('The installation', 'bash', ['-ec', install], { cwd: folder, env, timeoutMs: INSTALL_MS });
    const file = join(folder, 'walk.py');
    writeFileSync(file, blocks('python').join('\n'));
    const printed = await mustRun('The walk', join(folder, 'unitcell-walk/bin/python'), [file], {
      cwd: folder,
      env,
    });
    expect(blocks('python').length).toBeGreaterThanOrEqual(6);
    expect(printed.trim()).toBe(blocks('text').join('').trim());
  });
});

it.each(readdirSync(notebooks))('the notebook %s runs from its first cell to its last', async (name) => {
  const { cells } = JSON.parse(readFileSync(join(notebooks, name), 'utf8')) as Notebook;
  const code = cells.filter(({ cell_type: type }) => type === 'code').map(({ source }) => source.join(''));
  const file = join(folder, 'notebook.py');
  writeFileSync(file, [...code, 'print("ran to its end")'].join('\n\n'));
  // matplotlib, which pymatgen requires, must draw without a screen.
  const printed = await python.run('python', [file], { env: { ...env, MPLBACKEND: 'Agg' }, cwd: folder });
  expect(printed).toContain('ran to its end');
});
