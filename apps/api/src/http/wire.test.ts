/** Tests which parts of a raw HTTP request the server trusts. */
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';

describe('the address of the caller', () => {
  /** Returns the logged address of each request whose headers claim one of the given addresses. */
  async function addressesOf(trusted: string | undefined, claimed: readonly string[]): Promise<unknown[]> {
    const test = await buildTestApp({ env: trusted === undefined ? {} : { TRUSTED_PROXIES: trusted } });
    try {
      for (const address of claimed)
        await test.app.inject({
          url: '/api/about/get_data/',
          headers: { 'x-forwarded-for': address },
          remoteAddress: '192.0.2.1',
        });
      const lines = test.logLines.map((line) => JSON.parse(line) as { req?: { remoteAddress?: string } });
      return lines.flatMap(({ req }) => (req ? [req.remoteAddress] : []));
    } finally {
      await test.close();
    }
  }

  it('is the peer of the connection, whatever X-Forwarded-For contains', async () =>
    expect(await addressesOf(undefined, ['203.0.113.7'])).toEqual(['192.0.2.1']));

  it('is the address appended by the trusted proxy, not an address sent by the client', async () => {
    const behindAnother = '198.51.100.1, 203.0.113.7';
    expect(await addressesOf('1', ['203.0.113.7', behindAnother])).toEqual(['203.0.113.7', '203.0.113.7']);
    expect(await addressesOf('2', [behindAnother])).toEqual(['198.51.100.1']);
  });
});

describe('a request that two parsers could read differently', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp({ env: { OPTIMADE_ACCESS: 'public' } });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => test.close());

  /** The status line of the answer to these bytes. */
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

  const get = (path: string, header = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`;
  const about = (header: string) => get('/api/about/get_data/', `${header}\r\n`);
  const posted = (body: string, header = `Content-Length: ${Buffer.byteLength(body)}`) =>
    `POST /api/arkid/login_request_sm/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n${body}`;
  const pieces = (text: string) => posted(text, 'Transfer-Encoding: chunked');

  it.each<[string, string]>([
    ['a header of 20 KB', about(`X-A: ${'a'.repeat(20_000)}`)],
    ['3,000 headers', about('a:b\r\n'.repeat(3_000).trimEnd())],
    ['an address of 100 KB', get(`/${'a'.repeat(100_000)}`)],
    ['7,000 folders', get(`/${'a/'.repeat(7_000)}`)],
    ['the same parameter 1,500 times', get(`/optimade/v1/structures?${'sort=id&'.repeat(1_500)}`)],
    ['4,000 brackets', get(`/optimade/v1/structures?filter=${'('.repeat(4_000)}`)],
    ['2,000 negations', get(`/optimade/v1/structures?filter=${'NOT%20'.repeat(2_000)}nelements=1`)],
    ['700 alternatives', get(`/optimade/v1/structures?filter=${'nelements=1%20OR%20'.repeat(700)}nsites=1`)],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', `\u0016\u0003\u0001\u0002\0${'\0'.repeat(200)}`],
    ['a foreign address', get('http://evil.example/api/about/get_data/')],
    ['the address of a file', get('file:///etc/passwd')],
    ['a tunnel', 'CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another protocol', about('Connection: Upgrade\r\nUpgrade: websocket')],
    ['lines that end otherwise', 'GET /api/about/get_data/ HTTP/1.1\nHost: x\n\n'],
    ['two hosts', about('Host: y')],
    ['3,000 ranges', get('/api/matdata/files/4.cif', `Range: bytes=${'0-0,'.repeat(3_000)}1-1\r\n`)],
    ['1,200 languages', about(`Accept-Language: ${'a-b;q=0.1,'.repeat(1_200)}`)],
    ['1,100 encodings', about(`Accept-Encoding: ${'gzip;q=0.1,'.repeat(1_100)}`)],
    ['3,000 tags', about(`If-None-Match: ${'"a",'.repeat(3_000)}`)],
    ['1,500 proxies', about(`X-Forwarded-For: ${'1.1.1.1,'.repeat(1_500)}`)],
    [
      '12,000 blanks for a token',
      get('/api/arkid/sessions/', `Authorization: token${' '.repeat(12_000)}x\r\n`),
    ],
    [
      '2,000 cookies',
      get('/api/arkid/github/callback/?code=a&state=b', `Cookie: ${'a=b; '.repeat(2_000)}\r\n`),
    ],
    ['20,000 pieces of a byte', pieces(`${'1\r\n \r\n'.repeat(20_000)}2\r\n{}\r\n0\r\n\r\n`)],
    ['80 KB of extensions to a piece', pieces(`2;${'a=b;'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`)],
    ['13,000 trailers', pieces(`2\r\n{}\r\n0\r\n${'X-A: b\r\n'.repeat(13_000)}\r\n`)],
    ['30,000 lists in each other', posted('['.repeat(30_000) + ']'.repeat(30_000))],
    ['6,000 fields', posted(`{${Array.from({ length: 6_000 }, (_, i) => `"a${i}":0`).join()}}`)],
    ['a packed body', posted('{}', 'Content-Encoding: gzip\r\nContent-Length: 2')],
    ['an expectation there is none of', posted('{}', 'Expect: the-unexpected\r\nContent-Length: 2')],
  ])('%s: is answered by the protocol or disconnected, and is not a server fault', async (_, bytes) => {
    test.logLines.length = 0;
    expect(await answerTo(bytes)).toMatch(/^(?:HTTP\/1\.1 [234]\d\d .*)?$/);
    expect(test.logLines.filter((line) => /"level":(?:50|60)/.test(line))).toEqual([]);
  });

  it('a request is logged in one line with its address and status', async () => {
    test.logLines.length = 0;
    await test.app.inject({ url: '/api/nothing/here/' });
    const lines = test.logLines.filter((line) => line.includes('/api/nothing/here/'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        msg: 'request completed',
        req: expect.objectContaining({ method: 'GET', path: '/api/nothing/here/' }),
        res: expect.objectContaining({ statusCode: 404 }),
        responseTime: expect.any(Number),
      }),
    ]);
  });

  it.each([
    ['in a list', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['in a field', `{"mobile":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`],
  ])('excessive nesting is refused with a message: %s', async (_, body) => {
    const { port } = test.app.server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/api/arkid/login_request_sm/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'en' },
      body,
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'request.invalid', message: expect.stringContaining('nested more than 200 levels') },
    ]);
  });

  it('500 pipelined requests are answered one by one in order', async () => {
    const { port } = test.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const last = about('Connection: close');
    socket.write(Array.from({ length: 499 }, (_, i) => get(`/api/nothing/${i}`)).join('') + last);
    let answer = '';
    for await (const text of socket.setEncoding('utf8')) answer += text;
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses).toEqual([...Array.from({ length: 499 }, () => '404'), '200']);
  });

  it('a valid request is served', async () =>
    expect(await answerTo('GET /api/about/get_data/ HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('HTTP/1.1 200 OK'));
});
