import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

// The installer of the archive for machines without a network. The engine is stood in for: it takes every image and has it.

const FILES: Readonly<Record<string, string | Buffer>> = {
  'docker-compose.yml': 'services: {}\n',
  '.env.example': '# UNITCELL_VERSION=0.1.0\nSMS_PROVIDER=console\n',
  LICENSE: 'MIT\n',
  'CHANGELOG.md': '# Changelog\n',
  VERSION: '9.8.7\n',
  IMAGES: 'unitcell:9.8.7\n',
  'images.tar.gz': gzipSync('images'),
  'deploy/upgrade.sh': 'true\n',
  'docs/operating/docker.md': '# Docker\n',
};

describe('install.sh', () => {
  let folder: string;
  let archive: string;
  let target: string;
  const install = () =>
    capture('sh', [join(archive, 'install.sh'), target], {
      env: { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` },
    });
  const settings = () => readFileSync(join(target, '.env'), 'utf8');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'unitcell-archive-'));
    [archive, target] = [join(folder, 'archive'), join(folder, 'target')];
    for (const name of ['bin', 'archive/deploy', 'archive/docs/operating'])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'bin/docker'), `#!/bin/sh\necho "$*" >> ${folder}/asked\ncat > /dev/null\n`);
    chmodSync(join(folder, 'bin/docker'), 0o755);
    const all = { ...FILES, 'install.sh': readFileSync(inRepository('tools/install.sh')) };
    const sums = Object.entries(all).map(([name, content]) => {
      writeFileSync(join(archive, name), content);
      return `${createHash('sha256').update(content).digest('hex')}  ./${name}\n`;
    });
    writeFileSync(join(archive, 'SHA256SUMS'), sums.join(''));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('refuses an archive in which one byte is another one, and installs nothing', async () => {
    writeFileSync(join(archive, 'images.tar.gz'), gzipSync('imagez'));
    const { code, output } = await install();
    expect(code).toBe(1);
    expect(output).toContain('images.tar.gz');
    expect(output).toContain('Nothing was installed');
    expect([existsSync(target), existsSync(join(folder, 'asked'))]).toEqual([false, false]);
  });

  it('loads the images, makes secrets once, and keeps settings when a newer version is installed over it', async () => {
    expect(await install()).toMatchObject({
      code: 0,
      output: expect.stringContaining('Unitcell 9.8.7 is in'),
    });
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toContain('load --quiet');
    expect(settings()).toMatch(/^POSTGRES_PASSWORD=[\da-f]{48}$/m);
    expect(settings()).toMatch(/^JWT_SECRET=[\da-f]{64}$/m);
    expect(settings()).toMatch(/^UNITCELL_VERSION=9\.8\.7$/m);
    const before = settings();
    expect((await install()).code).toBe(0);
    expect(settings()).toBe(before);
  });
});
