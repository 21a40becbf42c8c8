import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { packJson, takesGzip } from './representation.ts';

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
