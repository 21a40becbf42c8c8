import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { defineCall } from '@unitcell/contract/common';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveCall } from './serve-call.ts';
import { callApp } from './testing/call-app.ts';

/** A multiple of the 64 KiB chunks in which Node sends a form, like the limits of the contract. */
const LIMIT = 2 * 1024 * 1024;

const take = defineCall(
  { name: 'take', method: 'POST', path: '/take/' },
  {
    summary: 'Tells what arrived',
    body: {
      fileField: 'the-file',
      meaning: 'A file.',
      maxBytes: LIMIT,
      missing: 'xrd.no-file',
      tooLarge: 'xrd.too-large',
    },
    request: z.unknown(),
    answer: z.object({ name: z.string(), size: z.int(), hash: z.string() }),
    refusals: ['xrd.no-file', 'xrd.too-large'],
  },
);

let app: FastifyInstance;
let address: string;
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
beforeAll(async () => {
  app = await callApp({ LIMIT_UPLOADS_PER_MINUTE: '10000' });
  serveCall(app, take, async ({ file: { bytes, name } }) => ({
    name,
    size: bytes.length,
    hash: hashOf(bytes),
  }));
  address = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

async function send(body: FormData | string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${address}/take/`, {
    method: 'POST',
    headers: { authorization: 'token 7', 'accept-language': 'en', ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

function formOf(bytes: Uint8Array<ArrayBuffer>, field = 'the-file'): FormData {
  const form = new FormData();
  form.set('note', 'before the file');
  form.set(field, new Blob([bytes]), 'scan.xy');
  return form;
}

const BYTES = new Uint8Array(2 * LIMIT).map((_, i) => (i * 7919) % 251);
const bytesOf = (size: number): Uint8Array<ArrayBuffer> => BYTES.subarray(0, size);

describe('a file upload over a socket', () => {
  it.each([1, 65_536, LIMIT - 1, LIMIT])('arrives complete when it has %i bytes', async (size) => {
    const bytes = bytesOf(size);
    expect(await send(formOf(bytes))).toEqual({
      status: 200,
      body: { name: 'scan.xy', size, hash: hashOf(bytes) },
    });
  });

  it.each([LIMIT + 1, LIMIT + 4096, 2_470_000, LIMIT + 65_536, 2 * LIMIT])(
    'is refused, never truncated, when it has %i bytes',
    async (size) => {
      // Repeated, because it varies whether the parser gets more of the file after the limit.
      for (let round = 0; round < 4; round++) {
        const { body } = await send(formOf(bytesOf(size)));
        expect(body).toMatchObject({ error: 'true', code: expect.stringMatching(/too-large$/) });
      }
    },
  );

  it('is refused when the limit falls between two chunks of 64 KiB and no more data follow', async () => {
    const piece = Buffer.from(bytesOf(65_536));
    const disposition = 'content-disposition: form-data; name="the-file"; filename="scan.xy"';
    const pieces = Array.from({ length: LIMIT / piece.length + 6 }, () => piece);
    const answer = await app.inject({
      method: 'POST',
      url: '/take/',
      headers: { authorization: 'token 7', 'content-type': 'multipart/form-data; boundary=b' },
      payload: Readable.from([
        Buffer.from(`--b\r\n${disposition}\r\n\r\n`),
        ...pieces,
        Buffer.from('\r\n--b--\r\n'),
      ]),
    });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'xrd.too-large' });
  });

  it('is reported as missing when its field has another name or there is no form', async () => {
    expect((await send(formOf(bytesOf(10), 'other'))).body).toMatchObject({ code: 'xrd.no-file' });
    expect((await send('{}', { 'content-type': 'application/json' })).body).toMatchObject({
      code: 'xrd.no-file',
    });
  });

  const head = '--b\r\ncontent-disposition: form-data; name="the-file"; filename="a.xy"\r\n\r\n10 1\n20 2\n';
  it.each([
    ['breaks off', head, 'b'],
    ['breaks off before its file', '--b\r\ncontent-disp', 'b'],
    ['has other boundaries than it says', `${head}\r\n--b--\r\n`, 'zzz'],
    ['names no boundary', `${head}\r\n--b--\r\n`, null],
  ])('is refused with 400 and a message when the form %s', async (_how, text, boundary) => {
    const type = `multipart/form-data${boundary === null ? '' : `; boundary=${boundary}`}`;
    const { status, body } = await send(text, { 'content-type': type });
    expect(body).toMatchObject({ error: 'true', code: 'request.not-multipart' });
    expect(body.message).toContain('The upload is not complete');
    expect(status).toBe(400);
  });
});
