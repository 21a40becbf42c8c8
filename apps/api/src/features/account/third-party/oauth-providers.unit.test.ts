import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchJson } from './oauth-providers.ts';

let server: Server;
let origin: string;
const asked: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = request.url === '/long' ? JSON.stringify({ filler: 'x'.repeat(300_000) }) : '{"id": 7}';
    if (request.url === '/moved') response.writeHead(302, { Location: `${origin}/identity` }).end(body);
    else response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

describe('the answer of a sign-in provider', () => {
  it('is read only from the configured address; redirects are not followed', async () => {
    expect(await fetchJson(new URL('/identity', origin))).toEqual({ id: 7 });
    asked.length = 0;
    await expect(fetchJson(new URL('/moved', origin))).rejects.toThrow(/fetch failed/);
    expect(asked).toEqual(['/moved']);
  });

  it('is rejected when it is longer than an identity can be', async () => {
    await expect(fetchJson(new URL('/long', origin))).rejects.toThrow(/response too large/);
  });
});
