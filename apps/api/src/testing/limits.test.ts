/** Tests limits for one member who sends too many requests, and their effect on others. */
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { element, storeMaterials } from './material-factory.ts';

let test: TestApp;
let greedy: string;
let modest: string;
beforeAll(async () => {
  test = await buildTestApp({
    env: {
      LIMIT_UPLOADS_PER_MINUTE: '20',
      LIMIT_STREAMS_PER_ACCOUNT: '2',
      LIMIT_DETAILS_PER_MINUTE: '60',
      LIMIT_VISITOR_CALLS_PER_MINUTE: '50',
    },
  });
  greedy = await test.signIn('13700000001');
  modest = await test.signIn('13700000002');
  await storeMaterials(test.database, [element('Xe', 10, { struct_id: 4 })]);
});
afterAll(() => test.close());

describe('a member who requests sixty patterns at once', () => {
  it('gets some of them and a time to retry for the others, and another member is served', async () => {
    const sixty = Array.from({ length: 60 }, (_, i) =>
      test.post(
        '/api/matdata/get_xrd_handle2/',
        { struct_id: 4, wavelength: 0.4 + i / 1000, crystalSize: 200 },
        { token: greedy },
      ),
    );
    const other = await test.post('/api/matdata/get_xrd_handle/', { struct_id: 4 }, { token: modest });
    expect(other.statusCode).toBe(200);
    expect(other.json().x.length).toBeGreaterThan(1000);
    const answers = await Promise.all(sixty);
    const served = answers.filter(({ statusCode }) => statusCode === 200);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(served.length).toBeGreaterThanOrEqual(8);
    expect(served.length + refused.length).toBe(60);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a member who copies the catalogue', () => {
  it('gets 60 of 200 details or files requested within a minute, and another member is served', async () => {
    const ask = (i: number) =>
      i % 2 === 0
        ? test.post('/api/matdata/get_struct_detail/', { struct_id: 4 }, { token: greedy })
        : test.get('/api/materials/4.cif', { token: greedy });
    const answers = [];
    // No more concurrent requests than a process accepts.
    for (let from = 0; from < 200; from += 100)
      answers.push(...(await Promise.all(Array.from({ length: 100 }, (_, i) => ask(from + i)))));
    const served = answers.filter(({ statusCode }) => statusCode === 200);
    expect(served).toHaveLength(60);
    expect(answers.find(({ statusCode }) => statusCode === 429)?.headers.ratelimit).toMatch(/"details";r=0/);
    const other = await test.post('/api/matdata/get_struct_detail/', { struct_id: 4 }, { token: modest });
    expect(other.statusCode).toBe(200);
  });

  it('downloads two results at a time; six more wait and the others are refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        test.post('/api/matdata/screen/download/', { format: 'cif.tar.gz' }, { token: greedy }),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(statuses.filter((status) => status === 429)).toHaveLength(32);
    // All earlier downloads have ended.
    const next = await test.post('/api/matdata/screen/download/', { format: 'csv' }, { token: greedy });
    expect(next.statusCode).toBe(200);
  });
});

describe('visitors', () => {
  it('of one host share a budget of public calls, separate from that of members and other hosts', async () => {
    const visit = (url: string, remoteAddress: string) =>
      test.app.inject({ method: 'GET', url, remoteAddress });
    const paths = ['/api/about/get_data/', '/api/releases/', '/api/openapi.json'];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => visit(paths[i % 3]!, `2001:db8:1:1::${i}`)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(50);
    expect(answers.at(-1)?.json()).toMatchObject({ code: 'request.too-many' });
    expect((await visit(paths[0]!, '2001:db8:1:2::1')).statusCode).toBe(200);
    // Sign-in has separate limits.
    const signIn = await visit('/api/arkid/providers/', '2001:db8:1:1::1');
    expect(signIn.statusCode).toBe(200);
  });
});

describe('uploads', () => {
  const upload = async (token: string, picture: Buffer) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(picture)]), 'me.png');
    const body = new Response(form);
    return test.app.inject({
      method: 'POST',
      url: '/api/arkid/upload_avatar/',
      headers: { authorization: `token ${token}`, 'content-type': body.headers.get('content-type') ?? '' },
      payload: Buffer.from(await body.arrayBuffer()),
    });
  };
  const drawing = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#1d4e89' } })
      .png()
      .toBuffer();

  it('of pictures beyond 25 megapixels are refused before decoding', async () => {
    expect((await upload(modest, await drawing(5001))).json()).toMatchObject({
      code: 'account.avatar-pixels',
    });
  });

  it('of one member are limited to twenty per minute and decoded one after the other', async () => {
    const picture = await drawing(600);
    const answers = await Promise.all(Array.from({ length: 24 }, () => upload(greedy, picture)));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const last = await upload(greedy, picture);
    expect(last.statusCode).toBe(429);
    expect(last.headers.ratelimit).toMatch(/^"uploads";r=0;t=\d+$/);
    expect((await upload(modest, picture)).statusCode).toBe(200);
  });
});

describe('event streams', () => {
  it('of one account are limited, and closing one frees its place', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    const open = async (token: string) => {
      const stop = new AbortController();
      const response = await fetch(`http://127.0.0.1:${port}/api/run4u/events/`, {
        headers: { authorization: `token ${token}` },
        signal: stop.signal,
      });
      return { response, stop };
    };
    const first = await open(greedy);
    const second = await open(greedy);
    const third = await open(greedy);
    expect([first, second, third].map(({ response }) => response.status)).toEqual([200, 200, 429]);
    expect(Number(third.response.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await open(modest);
    expect(other.response.status).toBe(200);
    first.stop.abort();
    await expect
      .poll(async () => {
        const { response, stop } = await open(greedy);
        stop.abort();
        return response.status;
      })
      .toBe(200);
    second.stop.abort();
    other.stop.abort();
  });
});
