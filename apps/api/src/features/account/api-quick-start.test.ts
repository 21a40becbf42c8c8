/** Runs the programs of docs/api/index.md exactly as printed there. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rutile, storeMaterials } from '../../testing/material-factory.ts';
import { accountRepository } from './account.repository.ts';
import { apiKeys } from './api-keys.ts';

const run = promisify(execFile);
const guide = readFileSync(new URL('../../../../../docs/api/index.md', import.meta.url), 'utf8');
/** The clients tier tests docs/api/python.md, because the session of that page installs the client first. */
const quickStart = guide.slice(guide.indexOf('\n## Quick start'));
const repository = fileURLToPath(new URL('../../../../../', import.meta.url));

const programIn = (language: string): string => {
  const program = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(quickStart)?.[1];
  if (program === undefined) throw new Error(`docs/api/index.md holds no program in ${language}`);
  return program;
};
const isHere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

let test: TestApp;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  test = await buildTestApp();
  folder = mkdtempSync(join(tmpdir(), 'unitcell-quick-start-'));
  await storeMaterials(test.database, [rutile('Ti', 4.594, 2.959, { energy: -52 })]);
  const accountId = await accountRepository(test.database).createNamed('Quick start');
  const { key } = await apiKeys(test.database).create({
    accountId,
    label: 'quick start',
    scopes: ['matdata'],
    expiresAt: new Date(Date.now() + 3_600_000),
    ratePerMinute: 60,
  });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  env = { ...process.env, UNITCELL_URL: `http://127.0.0.1:${port}`, UNITCELL_KEY: key };
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true });
});

async function output(command: string, arguments_: readonly string[]): Promise<string> {
  const { stdout } = await run(command, arguments_, { env, cwd: repository, timeout: 240_000 });
  return stdout.trim();
}

describe('docs/api/index.md', () => {
  const cell = 'TiO2 P4_2/mnm 4.594 2.959';

  it.skipIf(!isHere('curl') || !isHere('bash'))('searches with curl', async () => {
    const answer = JSON.parse(await output('bash', ['-c', programIn('bash')])) as {
      len: number;
      results: unknown[][];
    };
    expect(answer.len).toBe(1);
    expect(answer.results[0]?.[1]).toBe('TiO2');
  });

  it.skipIf(!isHere('python3'))('searches and reads a cell with Python', async () => {
    expect(await output('python3', ['-c', programIn('python')])).toBe(cell);
  });

  it.skipIf(!isHere('python3'))('reports in Python why a key is refused', async () => {
    const wrong = { ...env, UNITCELL_KEY: 'uck_nobody' };
    const refused = run('python3', ['-c', programIn('python')], { env: wrong, cwd: repository });
    await expect(refused).rejects.toThrow(/RuntimeError: This API key is unknown/);
  });

  it('searches and reads a cell with TypeScript', async () => {
    const file = join(folder, 'quick-start.mts');
    writeFileSync(file, programIn('typescript'));
    expect(await output(process.execPath, ['--import', 'tsx', file])).toBe(cell);
  });
});
