import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey, readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import fastify from 'fastify';
import { contentSecurityPolicy, siteConfigRoutes } from '../http/site.routes.ts';
import { readAnalytics } from './telemetry.ts';
import { describeLimits, readLimits } from './limits.ts';

const DATABASE_URL = 'postgresql://app@127.0.0.1:5432/unitcell';
const GOOD_SECRET = 'f1c9a0b27e6d4853bb0a6cf9d2e71408';

const problemsOf = (env: Record<string, string | undefined>): string => {
  try {
    readConfig({ DATABASE_URL, JWT_SECRET: GOOD_SECRET, ...env });
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

describe('JWT_SECRET', () => {
  it.each([
    ['missing', undefined, 'JWT_SECRET is not set'],
    ['empty', '  ', 'JWT_SECRET is not set'],
    ['short', GOOD_SECRET.slice(1), 'JWT_SECRET has 31 characters'],
    ['one word of an example', 'changeme', 'known default'],
    ['words of an example, long enough', 'change-me-change-me-change-me-change-me', 'known default'],
    ['a sentence of an example', 'your-super-secret-jwt-key-change-this-in-production', 'known default'],
    ['capitals of an example', 'REPLACE_THIS_WITH_A_VERY_LONG_RANDOM_STRING_123', 'known default'],
    ['one character repeated', 'x'.repeat(64), 'repeats a few characters'],
    ['a short pattern repeated', '1234'.repeat(16), 'repeats a few characters'],
  ])('is refused when %s', (_how, secret, problem) => {
    expect(problemsOf({ JWT_SECRET: secret })).toContain(problem);
  });

  it('is accepted when random, in any common notation', () => {
    for (let round = 0; round < 200; round++)
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(problemsOf({ JWT_SECRET: randomBytes(32).toString(encoding) })).toBe('');
  });

  it('is never quoted in messages', () => {
    const secret = 'my-password-is-qwerty-12345-secret';
    expect(problemsOf({ JWT_SECRET: secret.slice(0, 20) })).not.toContain('qwerty');
  });

  it('gives a separate key for every purpose', () => {
    const config = readConfig({ DATABASE_URL, JWT_SECRET: GOOD_SECRET });
    const keys = ['session', 'sms-code', 'sign-in', 'avatar'].map((purpose) =>
      deriveKey(config, purpose).toString('hex'),
    );
    expect(new Set(keys).size).toBe(4);
    expect(keys.every((key) => key.length === 64)).toBe(true);
  });
});

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const telemetryOf = (env: Record<string, string>) =>
    readConfig({ DATABASE_URL, JWT_SECRET: GOOD_SECRET, ...env }).telemetry;
  const ENDPOINT = 'http://collector.example.org:4318';

  it('sets the collector; without this variable, or if telemetry is switched off, nothing is sent', () => {
    expect(telemetryOf({})).toBeNull();
    expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/` })).toEqual({
      endpoint: ENDPOINT,
      share: 1,
    });
    expect(
      telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0.05' })?.share,
    ).toBe(0.05);
    expect(telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  });

  it.each([
    ['collector:4318', {}, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [ENDPOINT, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'over HTTP'],
    [ENDPOINT, { OTEL_TRACES_SAMPLER_ARG: '5 %' }, 'OTEL_TRACES_SAMPLER_ARG'],
    [ENDPOINT, { OTEL_TRACES_SAMPLER_ARG: '-1' }, 'OTEL_TRACES_SAMPLER_ARG'],
  ])('%s with %j is refused with a message', (endpoint, env, words) => {
    expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env })).toContain(words);
  });
});

describe('SIGN_IN_PHONE', () => {
  const demands = (env: Record<string, string>) =>
    readConfig({ DATABASE_URL, JWT_SECRET: GOOD_SECRET, ...env }).demandsPhone;

  it('requires a phone number after GitHub or WeChat sign-in if set, or by default if codes can be sent', () => {
    expect(demands({})).toBe(true);
    expect(demands({ SIGN_IN_PHONE: 'optional' })).toBe(false);
    expect(demands({ SMS_PROVIDER: 'none' })).toBe(false);
    expect(demands({ SIGN_IN_PHONE: 'required', SMS_PROVIDER: 'console' })).toBe(true);
  });

  it('cannot be required if codes cannot be sent', () => {
    expect(problemsOf({ SIGN_IN_PHONE: 'required', SMS_PROVIDER: 'none' })).toContain('no code can be sent');
    expect(problemsOf({ SIGN_IN_PHONE: 'never' })).toContain('expected required or optional');
  });
});

it('listening on an IPv6 address gives a valid URL', () => {
  expect(readConfig({ DATABASE_URL, JWT_SECRET: GOOD_SECRET, HOST: '::', PORT: '3400' }).publicUrl).toBe(
    'http://[::]:3400',
  );
});

it('invalid settings are reported all at once', () => {
  const problems = problemsOf({
    JWT_SECRET: 'secret',
    SMS_PROVIDER: 'pigeon',
    GITHUB_CLIENT_ID: 'x',
    PORT: 'no',
  });
  for (const name of ['JWT_SECRET', 'SMS_PROVIDER', 'GITHUB_CLIENT_SECRET', 'PORT'])
    expect(problems).toContain(name);
});

describe('WORKER_ROLES', () => {
  const rolesOf = (text: string | undefined) =>
    readConfig({ DATABASE_URL, JWT_SECRET: GOOD_SECRET, WORKER_ROLES: text }).workerRoles;

  it('both roles are active by default', () => {
    expect(rolesOf(undefined)).toEqual(['calculate', 'derive']);
    expect(rolesOf(' ')).toEqual(['calculate', 'derive']);
    expect(rolesOf('derive')).toEqual(['derive']);
    expect(rolesOf('derive, calculate')).toEqual(['calculate', 'derive']);
  });

  it('an unknown role is refused and named', () => {
    expect(problemsOf({ WORKER_ROLES: 'calculate,dervie' })).toContain('WORKER_ROLES has "dervie"');
  });
});

const BAIDU_ID = '0123456789abcdef0123456789abcdef';

function read(provider?: string, id?: string, url?: string) {
  const problems: string[] = [];
  return { analytics: readAnalytics({ provider, id, url }, problems), problems };
}

describe('analytics settings', () => {
  it('are off if no provider is named', () => {
    expect(read()).toEqual({ analytics: null, problems: [] });
    expect(read(' ', '7', 'https://stats.example.org')).toEqual({ analytics: null, problems: [] });
  });

  it.each([
    ['matomo', '7', 'https://stats.example.org/', 'https://stats.example.org/matomo.js'],
    ['matomo', '7', 'https://example.org/stats/matomo', 'https://example.org/stats/matomo/matomo.js'],
    ['plausible', 'materials.example.org', undefined, 'https://plausible.io/js/script.manual.js'],
    ['plausible', 'pa-gYyxvZhk', undefined, 'https://plausible.io/js/pa-gYyxvZhk.js'],
    ['plausible', 'localhost', 'http://127.0.0.1:8000', 'http://127.0.0.1:8000/js/script.manual.js'],
    ['baidu', BAIDU_ID, undefined, `https://hm.baidu.com/hm.js?${BAIDU_ID}`],
  ])('give the script of %s %s at %s: %s', (provider, id, url, script) => {
    expect(read(provider, id, url)).toMatchObject({ analytics: { provider, id, script }, problems: [] });
  });

  it.each([
    ['google', 'UA-1', undefined, /ANALYTICS_PROVIDER is "google": expected matomo, plausible or baidu/],
    ['matomo', undefined, 'https://stats.example.org', /ANALYTICS_ID is not set: expected the number/],
    ['matomo', 'seven', 'https://stats.example.org', /ANALYTICS_ID is "seven"/],
    ['matomo', '7', undefined, /ANALYTICS_URL is not set: expected the address of matomo/],
    ['matomo', '7', 'stats.example.org', /ANALYTICS_URL is "stats.example.org"/],
    ['matomo', '7', 'javascript:alert(1)', /ANALYTICS_URL/],
    ['matomo', '7', "https://x.example/;script-src 'unsafe-inline'", /ANALYTICS_URL/],
    ['matomo', '7', 'https://user:word@x.example', /ANALYTICS_URL/],
    ['baidu', 'abc', undefined, /ANALYTICS_ID is "abc"/],
    ['plausible', 'a b', undefined, /ANALYTICS_ID is "a b"/],
  ])('refuse %s %s at %s', (provider, id, url, sentence) => {
    expect(read(provider, id, url).problems.join('\n')).toMatch(sentence);
  });
});

describe('contentSecurityPolicy', () => {
  const off = contentSecurityPolicy(null).directives;

  it('contains no other site when page views are not reported', () => {
    expect(JSON.stringify(off)).not.toMatch(/https?:/);
    expect(off.scriptSrc).toEqual(["'self'", "'wasm-unsafe-eval'"]);
  });

  it("adds the provider's script and the host to which it sends", () => {
    const { analytics } = read('baidu', BAIDU_ID);
    const on = contentSecurityPolicy(analytics).directives;
    expect(on.scriptSrc).toEqual([...off.scriptSrc, 'https://hm.baidu.com/hm.js']);
    expect(on.connectSrc).toEqual([...off.connectSrc, 'https://hm.baidu.com']);
    expect(on.imgSrc).toEqual([...off.imgSrc, 'https://hm.baidu.com']);
    const changed = Object.keys(on).filter(
      (name) => JSON.stringify(on[name as keyof typeof on]) !== JSON.stringify(off[name as keyof typeof off]),
    );
    expect(changed.toSorted()).toEqual(['connectSrc', 'imgSrc', 'scriptSrc']);
  });
});

describe('GET /site-config.json', () => {
  it.each([read().analytics, read('matomo', '7', 'https://stats.example.org').analytics])(
    'answers %j and is never cached',
    async (analytics) => {
      const app = fastify();
      siteConfigRoutes(app, analytics);
      const answer = await app.inject('/site-config.json');
      expect(answer.json()).toEqual({ analytics });
      expect(answer.headers['cache-control']).toBe('no-cache');
    },
  );
});

describe('readLimits', () => {
  it('reads values from the environment and uses defaults otherwise', () => {
    const usual = readLimits({});
    const changed = readLimits({ LIMIT_TASK_SECONDS: ' 45 ', LIMIT_TASKS_WAITING_PER_OWNER: '0' });
    expect(changed).toEqual({ ...usual, taskSeconds: 45, tasksWaitingPerOwner: 0 });
  });

  it('leaves one thread free for the next visitor on any machine', () => {
    const { threads, tasksPerOwner } = readLimits({});
    expect(threads).toBeGreaterThan(tasksPerOwner);
  });

  it.each(['0', '-1', '1.5', 'many', '1e400'])('refuses %j seconds and names the variable', (text) => {
    const problems: string[] = [];
    readLimits({ LIMIT_TASK_SECONDS: text }, problems);
    expect(problems).toEqual([`LIMIT_TASK_SECONDS is "${text}": expected a whole number of at least 1`]);
  });

  it('refuses more seconds than a timer can wait', () => {
    const problems: string[] = [];
    readLimits({ LIMIT_TASK_SECONDS: '2147483', LIMIT_MATCH_SECONDS: '2147484' }, problems);
    expect(problems).toEqual(['LIMIT_MATCH_SECONDS is "2147484": expected at most 2147483 s']);
  });

  it('shows the limits with their variables', () => {
    expect(describeLimits(readLimits({ LIMIT_REFLECTIONS: '5000' }))).toContain(
      'LIMIT_REFLECTIONS=5000 (reflections in one powder pattern)',
    );
  });
});
