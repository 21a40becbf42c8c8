import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '@unitcell/tools/bundle';
import { createTestDatabase } from '@unitcell/tools/test-database';
import { afterEach, expect, it } from 'vitest';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

it.each([
  ['main', 'PORT'],
  ['worker', 'WORKER_PORT'],
] as const)('%s ends with a readable message if its port is taken', async (program, variable) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  undo.push(() => new Promise((done) => taken.close(done)));
  const { port } = taken.address() as AddressInfo;
  const database = await createTestDatabase();
  undo.push(() => database.drop());
  const home = await mkdtemp(join(tmpdir(), 'unitcell-port-'));
  undo.push(() => rm(home, { recursive: true }));

  const child = spawn(process.execPath, [builtProgram(program)], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      JWT_SECRET: 'known-to-this-test-alone-0123456789abcdef',
      UNITCELL_HOME: home,
      HOST: '127.0.0.1',
      [variable]: String(port),
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  undo.push(async () => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  expect(said).toBe(
    `Another program listens on port ${port} of 127.0.0.1: stop it, or set PORT (of a worker: WORKER_PORT) to another.\n`,
  );
  expect(status).toBe(1);
});

async function logged(statement: string): Promise<unknown> {
  const program = `import { createLog } from ${JSON.stringify(new URL('process.ts', import.meta.url).href)};
    createLog('info', 'test').${statement};
    process.exit();`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (part: Buffer) => (said += part.toString()));
  await once(child, 'close');
  return JSON.parse(said);
}

it('a line that is logged just before the process ends is written', async () => {
  expect(await logged(`info('the last line')`)).toMatchObject({ role: 'test', msg: 'the last line' });
});

it('the log shows the code of an error and hides the code of a sign-in', async () => {
  const line = await logged(
    `info({ err: Object.assign(new Error(), { code: 'ECONNREFUSED' }), body: { code: '123456' } })`,
  );
  expect(line).toMatchObject({ err: { code: 'ECONNREFUSED' }, body: { code: '[removed]' } });
});
