import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { registerErrors } from './errors.ts';
import { securityTxtRoute } from './site.routes.ts';

let app: FastifyInstance;
afterEach(() => app.close());

const configOf = (contact: string) =>
  readConfig({
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
    JWT_SECRET: 'a-secret-of-the-tests-that-is-long-enough',
    PUBLIC_URL: 'https://materials.example.org',
    SECURITY_CONTACT: contact,
  });

async function ask(contact: string) {
  app = fastify();
  registerErrors(app, () => null);
  securityTxtRoute(app, configOf(contact));
  return app.inject('/.well-known/security.txt');
}

describe('/.well-known/security.txt', () => {
  it.each([
    ['security@example.org', 'mailto:security@example.org'],
    ['https://example.org/report', 'https://example.org/report'],
  ])('names %s and an expiry date (RFC 9116)', async (contact, shown) => {
    const answer = await ask(contact);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const fields = Object.fromEntries(
      answer.body
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    );
    expect(fields).toMatchObject({
      Contact: shown,
      'Preferred-Languages': 'zh, en',
      Canonical: 'https://materials.example.org/.well-known/security.txt',
    });
    const days = (Date.parse(fields.Expires ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(170);
    expect(days).toBeLessThan(365);
  });

  it('does not exist if no contact is set', async () => {
    expect((await ask('')).statusCode).toBe(404);
  });

  it.each(['call me', 'http://example.org', 'javascript:alert(1)'])(
    'refuses the contact %s with a message',
    async (contact) => {
      app = fastify();
      expect(() => configOf(contact)).toThrow(ConfigError);
    },
  );
});
