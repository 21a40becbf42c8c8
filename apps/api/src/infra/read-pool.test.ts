/**
 * Tests that reads continue during an outage of the replica, which is the test database behind a proxy that
 * can be closed.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { type Database, openDatabase, replication } from './database.ts';

let testDatabase: TestDatabase;
let database: Database;
let proxy: Server;
let port: number;
const through = new Set<Socket>();
const said: string[] = [];
let passed = 0;

async function openProxy(): Promise<void> {
  const { hostname, port: target } = new URL(testDatabase.url);
  proxy = createServer((socket) => {
    passed++;
    const server = connect(Number(target), hostname);
    for (const end of [socket, server]) {
      through.add(end);
      end.on('error', () => undefined).on('close', () => through.delete(end));
    }
    socket.pipe(server).pipe(socket);
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  ({ port } = proxy.address() as AddressInfo);
}

async function closeProxy(): Promise<void> {
  proxy.close();
  for (const socket of through) socket.destroy();
  await once(proxy, 'close');
}

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  port = 0;
  await openProxy();
  const replica = new URL(testDatabase.url);
  replica.hostname = '127.0.0.1';
  replica.port = String(port);
  const config = { databaseUrl: testDatabase.url, databaseReadUrl: replica.href };
  database = openDatabase(
    config,
    () => undefined,
    undefined,
    (sentence) => said.push(sentence),
  );
});
afterAll(async () => {
  await database.close();
  await closeProxy();
  await testDatabase.drop();
});

const read = async () => (await database.readPool.query('SELECT 1 AS one')).rows;
const readTyped = () => database.readDb.selectFrom('account').select('id').execute();

it('reads succeed during the outage of a replica and after its return', async () => {
  expect(await read()).toEqual([{ one: 1 }]);
  expect(passed).toBe(1);

  await closeProxy();
  // By now the pool has removed its broken idle connections.
  await expect.poll(() => database.readPool.idleCount).toBe(0);
  for (let i = 0; i < 20; i++) expect(await read()).toEqual([{ one: 1 }]);
  expect(await Promise.all([readTyped(), readTyped()])).toEqual([[], []]);
  expect(said).toEqual([
    expect.stringMatching(/replica .* does not answer \(.*ECONNREFUSED.*primary serves/),
  ]);

  await openProxy();
  await expect.poll(() => said).toHaveLength(2);
  expect(said[1]).toContain('is back');
  const before = passed;
  expect(await Promise.all([read(), readTyped()])).toEqual([[{ one: 1 }], []]);
  expect(passed).toBeGreaterThanOrEqual(before);
  expect(passed).toBeGreaterThan(1);
});

it('no change is awaited from a server that is not a standby', async () => {
  expect(replication({ ...database, readDb: database.db })).toBeNull();
  await expect(replication(database)?.()).resolves.toBeUndefined();
});

it('an invalid query fails with its own error and not as an outage', async () => {
  await expect(database.readPool.query('SELECT nothing')).rejects.toThrow('"nothing"');
});
