/** Tests avatars: accepted files, their stored form, and their deletion. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';

let test: TestApp;
const home = mkdtempSync(join(tmpdir(), 'unitcell-avatars-'));
let nextNumber = 0;
const freshMobile = (): string => `137${String(nextNumber++).padStart(8, '0')}`;

beforeAll(async () => {
  test = await buildTestApp({ env: { UNITCELL_HOME: home } });
});
afterAll(async () => {
  await test.close();
  rmSync(home, { recursive: true });
});
beforeEach(() => test.database.pool.query('DELETE FROM rate_bucket'));

function upload(token: string, bytes: Buffer, name = 'me.png') {
  const edge = 'edge-of-the-parts';
  const payload = Buffer.concat([
    Buffer.from(
      `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${edge}--\r\n`),
  ]);
  return test.app.inject({
    method: 'POST',
    url: '/api/arkid/upload_avatar/',
    headers: {
      authorization: `token ${token}`,
      'accept-language': 'en',
      'content-type': `multipart/form-data; boundary=${edge}`,
    },
    payload,
  });
}

const drawing = (side = 400) =>
  sharp({ create: { width: side, height: side / 2, channels: 3, background: '#1d4e89' } });

describe('POST /api/arkid/upload_avatar/', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('stores a %s as a square WebP of 256 pixels', async (format) => {
    const token = await test.signIn(freshMobile());
    const marked = drawing().withExif({ IFD0: { Copyright: 'secret place' } });
    const original = await marked.toFormat(format).toBuffer();
    const answer = await upload(token, original);
    const { file_url: address } = answer.json<{ file_url: string }>();
    expect(address).toMatch(/^\/api\/arkid\/avatars\/[0-9a-f]{32}-[0-9a-f]{16}\.webp$/);
    const served = await test.app.inject({ method: 'GET', url: address });
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
    });
    const { width, height, format: kept, exif } = await sharp(served.rawPayload).metadata();
    expect({ width, height, kept, exif }).toEqual({ width: 256, height: 256, kept: 'webp', exif: undefined });
    const changed = await test.post('/api/arkid/change_infor/', { avatar: address }, { token });
    expect(changed.json()).toMatchObject({ avatar: address });
  });

  it('keeps only the pixels of a polyglot file', async () => {
    const token = await test.signIn(freshMobile());
    const polyglot = Buffer.concat([
      await drawing().png().toBuffer(),
      Buffer.from('<script>alert(1)</script>PK\x03\x04'),
    ]);
    const { file_url: address } = (await upload(token, polyglot, '../../evil.html')).json<{
      file_url: string;
    }>();
    const served = await test.app.inject({ method: 'GET', url: address });
    expect(served.rawPayload.toString('latin1')).not.toContain('<script>');
    expect(readdirSync(join(home, 'avatars')).every((name) => /^[0-9a-f-]+\.webp$/.test(name))).toBe(true);
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
    ['a text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['half a PNG', Buffer.from('\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR', 'latin1')],
  ])('refuses %s with a message', async (_name, bytes) => {
    const token = await test.signIn(freshMobile());
    const answer = await upload(token, bytes);
    expect(answer.json()).toMatchObject({ error: 'true', code: 'account.avatar-format' });
  });

  it('refuses a PNG of 50,000 × 50,000 pixels without decoding it', async () => {
    const token = await test.signIn(freshMobile());
    const started = process.memoryUsage().rss;
    const answer = await upload(token, pngOf(50_000, 50_000));
    expect(answer.json()).toMatchObject({ error: 'true', code: 'account.avatar-pixels' });
    expect(process.memoryUsage().rss - started).toBeLessThan(500e6);
  });

  it('refuses a file of 30 MB with 413', async () => {
    const token = await test.signIn(freshMobile());
    const answer = await upload(token, Buffer.alloc(30e6, 7));
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ error: 'true', code: 'account.avatar-too-large' });
  });

  it('reports a missing file', async () => {
    const token = await test.signIn(freshMobile());
    const answer = await test.post('/api/arkid/upload_avatar/', {}, { token });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'account.avatar-missing' });
  });

  it('refuses the avatar of another account and addresses of other sites', async () => {
    const token = await test.signIn(freshMobile());
    const other = await test.signIn(freshMobile());
    const { file_url: foreign } = (await upload(other, await drawing().png().toBuffer())).json<{
      file_url: string;
    }>();
    for (const avatar of [
      foreign,
      'https://example.org/x.png',
      'javascript:alert(1)',
      '/api/arkid/avatars/../../x',
    ]) {
      const answer = await test.post('/api/arkid/change_infor/', { avatar }, { token });
      expect(answer.json()).toMatchObject({ error: 'true', code: 'account.avatar-foreign' });
    }
  });

  it('deletes the avatar that was replaced', async () => {
    const token = await test.signIn(freshMobile());
    const { file_url: first } = (await upload(token, await drawing().png().toBuffer())).json<{
      file_url: string;
    }>();
    await test.post('/api/arkid/change_infor/', { avatar: first }, { token });
    await test.post('/api/arkid/change_infor/', { avatar: '' }, { token });
    expect(existsSync(join(home, 'avatars', first.split('/').at(-1)!))).toBe(false);
  });
});

/** A PNG whose header announces a size that its data do not have, like a decompression bomb. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
