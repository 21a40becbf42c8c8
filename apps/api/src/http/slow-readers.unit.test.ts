import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { giveUpOnSlowReaders } from './slow-readers.ts';

const MIB = Buffer.alloc(2 ** 20, ' ');

it.each([
  ['in one piece', () => Buffer.alloc(64 * 2 ** 20)],
  [
    'while it is made',
    () =>
      Readable.from(
        (function* () {
          for (let part = 0; part < 64; part++) yield MIB;
        })(),
      ),
  ],
])('an answer %s that nobody takes is given up, one that is taken is not', async (_, answer) => {
  const app = fastify({ forceCloseConnections: true });
  giveUpOnSlowReaders(app, 1);
  app.get('/', async (_request, reply) => reply.send(answer()));
  await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    const { port } = app.server.address() as AddressInfo;
    const arrived = once(app.server, 'connection') as Promise<[Socket]>;
    const reader = connect(port, '127.0.0.1').pause();
    const [theirs] = await arrived;
    reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(theirs, 'close');
    let taken = 0;
    reader.on('data', (bytes) => (taken += bytes.length)).on('error', () => undefined);
    reader.resume();
    await once(reader, 'close');
    expect(taken).toBeLessThan(64 * 2 ** 20);
    const whole = await fetch(`http://127.0.0.1:${port}/`);
    expect((await whole.arrayBuffer()).byteLength).toBe(64 * 2 ** 20);
  } finally {
    await app.close();
  }
});
