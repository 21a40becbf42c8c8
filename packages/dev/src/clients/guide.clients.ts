/** The walk of docs/api.md, followed word by word: its commands in a shell, its programs in one session of Python. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../../../../scripts/lib/paths.mjs';
import { capture, mustRun, tail } from '../../../../scripts/lib/run.mjs';
import { type SiteWithKey, startSiteWithKey } from './site-with-key.ts';

const guide = readFileSync(inRepository('docs/api.md'), 'utf8');
const walk = /## A walk in Python\n([\s\S]*?)\n## /.exec(guide)?.[1] ?? '';
const blocks = (language: string): string[] =>
  [...walk.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

const INSTALL_MS = 600_000;

// Where the guide is followed: a folder that has the checkout's clients/ and nothing else.
const folder = mkdtempSync(join(tmpdir(), 'unitcell-guide-'));
symlinkSync(inRepository('clients'), join(folder, 'clients'));
const [install = ''] = blocks('sh');
const installed = await capture('bash', ['-ec', install], { cwd: folder, timeoutMs: INSTALL_MS });
const missing = installed.code === 0 ? null : `the environment cannot be made: ${tail(installed.output, 3)}`;
if (missing !== null) process.stdout.write(`SKIPPED: ${missing}\n`);

let started: SiteWithKey;

describe.skipIf(missing !== null)('docs/api.md', () => {
  beforeAll(async () => {
    started = await startSiteWithKey();
  }, 300_000);
  afterAll(async () => {
    await started.site.stop();
    rmSync(folder, { recursive: true });
  });

  it('is followed word by word', async () => {
    const file = join(folder, 'walk.py');
    writeFileSync(file, blocks('python').join('\n'));
    const printed = await mustRun('The walk', join(folder, 'unitcell-walk/bin/python'), [file], {
      cwd: folder,
      env: { ...process.env, UNITCELL_URL: started.site.url, UNITCELL_KEY: started.key },
    });
    expect(blocks('python').length).toBeGreaterThanOrEqual(6);
    expect(printed.trim()).toBe(blocks('text').join('').trim());
  });
});
