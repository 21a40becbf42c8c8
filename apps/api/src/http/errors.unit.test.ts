import { writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import fastify from 'fastify';
import { expect, it } from 'vitest';
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
