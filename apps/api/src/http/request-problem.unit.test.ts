import { describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import fastify from 'fastify';
import { zeroByteIn } from './request-problem.ts';
import { registerErrors } from './errors.ts';

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
