/** What a server believes of what comes over the wire. */
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';

describe('who is calling', () => {
  /** The address in the request log, when this is what the headers claim. */
  async function addressOf(trusted: string | undefined, claimed: string): Promise<unknown> {
    const test = await buildTestApp({ env: trusted === undefined ? {} : { TRUSTED_PROXIES: trusted } });
    try {
      await test.app.inject({
        url: '/api/about/get_data/',
        headers: { 'x-forwarded-for': claimed },
        remoteAddress: '192.0.2.1',
      });
      const lines = test.logLines.map((line) => JSON.parse(line) as { req?: { remoteAddress?: string } });
      return lines.findLast(({ req }) => req)?.req?.remoteAddress;
    } finally {
      await test.close();
    }
  }

  it('is the other end of the connection, whatever X-Forwarded-For says', async () =>
    expect(await addressOf(undefined, '203.0.113.7')).toBe('192.0.2.1'));

  it('is what the trusted proxy in front appended, and not what its visitor wrote before that', async () => {
    expect(await addressOf('1', '203.0.113.7')).toBe('203.0.113.7');
    expect(await addressOf('1', '198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
    expect(await addressOf('2', '198.51.100.1, 203.0.113.7')).toBe('198.51.100.1');
  });
});

describe('a request that two readers could read differently', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
    await test.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => test.close());

  /** The first line of what is answered to these bytes. */
  const answerTo = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = '';
      const { port } = test.app.server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text;
        if (answer.includes('\r\n')) socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
    });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length and pieces', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['a length that is none', 'Content-Length: +2\r\n\r\n{}'],
    ['a blank before the colon', 'Content-Length : 2\r\n\r\n{}'],
    ['an encoding hidden by a blank', 'Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['a line broken in a header', 'X-A: b\r\n Content-Length: 2\r\n\r\n{}'],
  ])('%s: is refused', async (_, rest) => {
    const head = 'POST /api/about/get_data/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    expect(await answerTo(head + rest)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('one that is sound is read', async () =>
    expect(await answerTo('GET /api/about/get_data/ HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('HTTP/1.1 200 OK'));
});
