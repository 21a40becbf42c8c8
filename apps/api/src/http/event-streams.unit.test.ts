import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyReply } from 'fastify';
import { expect, it } from 'vitest';
import { eventStreams } from './event-streams.ts';
import { callApp } from './testing/call-app.ts';

it('a client that leaves before its stream opens keeps neither the stream nor its place', async () => {
  const app = await callApp();
  app.decorateRequest('leave', () => undefined);
  const openStream = eventStreams(app, 1);
  const waiting: { readonly raw: FastifyReply['raw']; readonly admit: () => void }[] = [];
  let closed = 0;
  app.get(
    '/events',
    {
      onRequest: app.requireIdentity,
      // Requests wait until `admit` is called, as in the queue of an overloaded site.
      preValidation: (_request, reply, admit) => void waiting.push({ raw: reply.raw, admit }),
    },
    (request, reply) => {
      const stream = openStream(request, reply);
      stream.onClose(() => void closed++);
      stream.send('number', '1');
    },
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = async () => {
    const client = connect(port, '127.0.0.1');
    client.write('GET /events HTTP/1.1\r\nHost: here\r\nAuthorization: token 7\r\n\r\n');
    await expect.poll(() => waiting.length).toBe(1);
    return { client, ...waiting.pop()! };
  };

  const gone = await ask();
  gone.client.destroy();
  await once(gone.raw, 'close');
  gone.admit();
  expect(closed).toBe(1);

  const next = await ask();
  next.admit();
  const [answer] = (await once(next.client, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  next.client.destroy();
  await app.close();
});
