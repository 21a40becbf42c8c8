import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { connect } from './client.ts';
import { SiteError } from './connection.ts';

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

/**
 * A fake site that returns the given answers in order, repeats the last one, and records the requested waiting times.
 */
function siteOf(...answers: readonly Reply[]) {
  const slept: number[] = [];
  const bodies: unknown[] = [];
  let asked = 0;
  const site = connect({
    url: 'http://127.0.0.1',
    maxWait: 100,
    sleep: async (seconds) => void slept.push(Math.round(seconds)),
    fetch: async (_, { body: sent } = {}) => {
      if (typeof sent === 'string') bodies.push(JSON.parse(sent));
      const {
        status = 200,
        headers = {},
        body = { error: 'false' },
      } = answers[Math.min(asked++, answers.length - 1)] ?? {};
      return new Response(JSON.stringify(body), { status, headers });
    },
  });
  return { site, slept, bodies, asked: () => asked };
}

const busy = (seconds: number): Reply => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
  body: { error: 'true', message: 'Too many.', code: 'request.too-many' },
});

it('a refinement uses the wavelengths of the file with the radiation of the file, but not with another radiation', async () => {
  const { site, bodies } = siteOf({ body: { error: 'false', phases: [] } });
  const wavelengths = [{ wavelength: 1.540598, weight: 1 }];
  const measurement = { radiation: 'CuKa1', wavelengths };
  const pattern = { x: [10, 11], y: [1, 2], measurement };
  await site.patterns.refine(pattern, [138]);
  await site.patterns.identify(pattern);
  await site.patterns.refine(pattern, [138], { radiation: 'CuKa' });
  expect(bodies).toMatchObject([{ radiation: 'CuKa1', wavelengths }, { wavelengths }, { radiation: 'CuKa' }]);
  expect(bodies[2]).not.toHaveProperty('wavelengths');
});

it('the error of a used-up quota states the number of submissions allowed per day', async () => {
  const { site } = siteOf(
    { body: { error: 'false', structure: {} } },
    { body: { error: 'false', message: 'Full', limit: 10 } },
  );
  await expect(site.run4u.submit('a.cif', new Blob(['data_']))).rejects.toMatchObject({
    code: 'run4u.full',
    message: '10 daily submissions are used up',
  });
});

it('the error of a program without a key asks for a key instead of a sign-in', async () => {
  const { site } = siteOf({
    status: 401,
    body: { error: 'true', message: 'Please sign in first.', code: 'auth.missing' },
  });
  await expect(site.materials.byElements('Ti')).rejects.toMatchObject({
    kind: 'login',
    code: 'auth.missing',
    message: expect.stringContaining('no API key'),
  });
});

describe('retries', () => {
  it('wait as long as Retry-After states', async () => {
    const { site, slept } = siteOf(busy(7), busy(2), {});
    await site.materials.byElements('Ti');
    expect(slept).toEqual([7, 2]);
  });

  it('stop at the limit of waiting time and at the limit of attempts', async () => {
    const long = siteOf(busy(60), busy(60), {});
    await expect(long.site.materials.byElements('Ti')).rejects.toMatchObject({
      kind: 'limited',
      retryAfter: 60,
      code: 'request.too-many',
    });
    expect(long.slept).toEqual([60]);
    const forever = siteOf(busy(1));
    await expect(forever.site.materials.byElements('Ti')).rejects.toBeInstanceOf(SiteError);
    expect(forever.asked()).toBe(4);
  });

  it.each([
    '"calculations";r=0;t=30',
    '"key";r=500;t=60, "calculations";r=0;t=30',
    '"calculations";r=0;t=30, "key";r=0;t=7',
  ])('wait before a call if the limits %s have no requests left', async (limits) => {
    const { site, slept } = siteOf({ headers: { RateLimit: limits } }, {});
    await site.materials.byElements('Ti');
    await site.materials.byFormula('TiO2');
    expect(slept).toEqual([]);
    await site.materials.byElements('Ti');
    expect(slept).toEqual([30]);
  });

  it('repeat a request after an error of a proxy, unless repeating could cause damage', async () => {
    const harmless = siteOf({ status: 502 }, {});
    await harmless.site.materials.byElements('Ti');
    expect(harmless.slept).toEqual([1]);
    const harmful = siteOf({ status: 502 }, {});
    await expect(harmful.site.materials.byElements('Ti', { again: false })).rejects.toMatchObject({
      kind: 'offline',
    });
    expect(harmful.asked()).toBe(1);
  });
});

it('waiting leaves no listener on a signal that serves many calls', async () => {
  const { signal } = new AbortController();
  const states = ['queued', 'running', 'finished'];
  const site = connect({
    url: 'http://127.0.0.1',
    fetch: async () => new Response(JSON.stringify({ error: 'false', run: { status: states.shift() } })),
  });
  expect(await site.design.wait(1, { every: 1, signal })).toEqual({ status: 'finished' });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
