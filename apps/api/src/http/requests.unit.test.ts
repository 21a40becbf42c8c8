import { describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import fastify from 'fastify';
import { registerErrors } from './errors.ts';
import { canonicalAddress, hostOf, networkOf } from './client-network.ts';
import { gunzipSync } from 'node:zlib';
import { packJson, takesGzip, zeroByteIn } from './serve-call.ts';

// Linux has a device that is always full.
it.skipIf(!existsSync('/dev/full'))(
  'a full disk is answered with a message and is not a server fault',
  async () => {
    const app = fastify();
    registerErrors(app, () => null);
    app.get('/store', async () => writeFile('/dev/full', 'picture'));
    const answer = await app.inject({ url: '/store', headers: { 'accept-language': 'en' } });
    await app.close();
    expect(answer.statusCode).toBe(507);
    expect(answer.json()).toMatchObject({ error: 'true', code: 'server.disk-full' });
    expect(answer.json<{ message: string }>().message).toContain('no disk space left');
  },
);

describe('zeroByteIn', () => {
  it.each([
    ['\0', 'body'],
    [{ functional: 'P\0BE' }, 'functional'],
    [{ a: [1, { b: '\0' }] }, 'a.1.b'],
    [{ 'k\0': 1 }, 'body'],
    [{ a: { 'k\0': 1 } }, 'a'],
    [{ a: 'PBE', b: [null, 1, true] }, undefined],
    [undefined, undefined],
  ])('zeroByteIn(%j) is %s', (value, place) => {
    expect(zeroByteIn(value)).toBe(place);
  });

  it('reads values that are nested far deeper than the stack', () => {
    const depth = 200_000;
    let value: unknown = '\0';
    for (let level = 0; level < depth; level++) value = [value];
    expect(zeroByteIn(value)?.length).toBe(2 * depth - 1);
  });
});

describe('the networks of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.7/32', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7/32', '192.0.2.0/24'],
    ['::ffff:c000:207', '192.0.2.7', '192.0.2.7/32', '192.0.2.0/24'],
    ['2001:db8:7:7::1', '2001:db8:7:7::1', '2001:db8:7:7::/64', '2001:db8:7::/48'],
    ['2001:0DB8:0007:0007:0000:0000:0000:0001', '2001:db8:7:7::1', '2001:db8:7:7::/64', '2001:db8:7::/48'],
    // A zero in the prefix is abbreviated and still belongs to the prefix.
    ['2001:db8::9', '2001:db8::9', '2001:db8::/64', '2001:db8::/48'],
    ['2001:db8:0:0:1:2:3:4', '2001:db8::1:2:3:4', '2001:db8::/64', '2001:db8::/48'],
    ['fe80::1%eth0', 'fe80::1', 'fe80::/64', 'fe80::/48'],
    ['::1', '::1', '::/64', '::/48'],
  ])('%s', (address, canonical, host, network) => {
    expect([canonicalAddress(address), hostOf(address), networkOf(address)]).toEqual([
      canonical,
      host,
      network,
    ]);
  });

  it('leaves a text that is not an address unchanged', () => {
    expect([canonicalAddress('command line'), hostOf('command line'), networkOf('')]).toEqual([
      'command line',
      'command line',
      '',
    ]);
  });
});

it('compressing the same text twice gives the same bytes', async () => {
  const text = JSON.stringify({ formula: 'LiFePO4', becomes: '→ FePO4', energies: Array(500).fill(-2.48) });
  const packed = await packJson(text);
  expect(packed.plain.toString()).toBe(text);
  expect(gunzipSync(packed.gzip).toString()).toBe(text);
  expect(packed.gzip.length).toBeLessThan(packed.plain.length / 5);
});

it.each([
  [undefined, false],
  ['', false],
  ['identity', false],
  ['br', false],
  ['gzip', true],
  ['gzip, deflate, br, zstd', true],
  ['GZIP;q=0.5', true],
  ['br;q=1, gzip; q=0', false],
  ['*', true],
  ['gzip;q=0, *', false],
])('whether an Accept-Encoding of %j accepts gzip: %j', (header, takes) => {
  expect(takesGzip(header)).toBe(takes);
});
