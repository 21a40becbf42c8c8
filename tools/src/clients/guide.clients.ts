/** The example session of docs/api/python.md, followed word by word: its commands in a shell, its programs in one session of Python. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

// Where the guide is followed: an empty folder, and the address of a site.
const folder = mkdtempSync(join(tmpdir(), 'unitcell-guide-'));
const { site, key } = await startSiteWithKey();
const env = { ...process.env, UNITCELL_URL: site.url, UNITCELL_KEY: key };
const [install = ''] = blocks('sh');
// Where Python's registry is in reach for others, the guide's own installation must not fail.
await pythonEnvironment();

afterAll(async () => {
  await site.stop();
  rmSync(folder, { recursive: true });
});

describe('docs/api/python.md', () => {
  it('is followed word by word', async () => {
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
