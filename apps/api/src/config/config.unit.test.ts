import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey, readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

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

  it('sets the collector; without it or if it is switched off, nothing is sent', () => {
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

it('all errors are reported at once', () => {
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
