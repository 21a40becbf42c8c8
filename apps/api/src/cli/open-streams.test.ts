/** Tests that open streams end when the caller loses access. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountRepository } from '../features/account/account.repository.ts';
import { apiKeys } from '../features/account/api-keys.ts';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { revoke } from './api-key-command.ts';
import type { CliContext } from './cli-context.ts';
import { BY_COMMAND } from '../features/account/audit-log.ts';
import { operatedAccounts } from '../features/operate/operate.feature.ts';

let test: TestApp;
let operator: CliContext;
let address: string;
beforeAll(async () => {
  test = await buildTestApp();
  const { config, database } = test;
  operator = { config, database, print: () => undefined, remark: () => undefined };
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
});
afterAll(() => test.close());

/** An open event stream; `isOver` becomes true when the server ends it. */
async function openStream(token: string) {
  const response = await fetch(`${address}/api/run4u/events/`, {
    headers: { authorization: `token ${token}` },
  });
  expect(response.status).toBe(200);
  const stream = { isOver: false };
  void response.text().then(() => (stream.isOver = true));
  return stream;
}

const MOBILES = ['13933330001', '13933330002', '13933330003', '13933330004'] as const;

it('blocking or deleting an account and revoking a key close only the open streams of that account, at once', async () => {
  const [blocked, deleted, withKey, other] = MOBILES;
  const streams: Record<string, Awaited<ReturnType<typeof openStream>>> = {};
  for (const mobile of [blocked, deleted, other])
    streams[mobile] = await openStream(await test.signIn(mobile));
  const ownSession = await openStream(await test.signIn(withKey));
  const { id: keyId, key } = await apiKeys(test.database).create({
    accountId: (await accountRepository(test.database).idByMobile(withKey))!,
    label: 'a program',
    scopes: ['run4u'],
    expiresAt: new Date(Date.now() + 86_400_000),
    ratePerMinute: 10,
  });
  const keyStream = await openStream(key);

  const accounts = accountRepository(test.database);
  const { people } = operatedAccounts(test.config, test.database);
  await people.block(BY_COMMAND, (await accounts.idByMobile(blocked))!);
  await expect.poll(() => streams[blocked]?.isOver).toBe(true);
  await people.remove(BY_COMMAND, (await accounts.idByMobile(deleted))!);
  await expect.poll(() => streams[deleted]?.isOver).toBe(true);
  await revoke(operator, String(keyId));
  await expect.poll(() => keyStream.isOver).toBe(true);
  expect([ownSession.isOver, streams[other]?.isOver]).toEqual([false, false]);
});

it('the logout of a session closes its stream and leaves the streams of other sessions open', async () => {
  const [, , , mobile] = MOBILES;
  await test.database.pool.query('DELETE FROM rate_bucket');
  const first = await test.signIn(mobile);
  await test.database.pool.query('DELETE FROM rate_bucket');
  const second = await test.signIn(mobile);
  const streams = [await openStream(first), await openStream(second)];
  await test.post('/api/arkid/logout/', {}, { token: first });
  await expect.poll(() => streams[0]?.isOver).toBe(true);
  expect(streams[1]?.isOver).toBe(false);
  await test.post('/api/arkid/logout/', { everywhere: true }, { token: second });
  await expect.poll(() => streams[1]?.isOver).toBe(true);
});
