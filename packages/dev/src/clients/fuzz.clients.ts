/**
 * schemathesis, a fuzzer made for OpenAPI, against a site with the seed: bounded, the same requests each time. It asks what the
 * document allows and what it forbids, and holds the answers against it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PythonEnvironment, pythonEnvironment } from './python-environment.ts';
import { type SiteWithKey, startSiteWithKey } from './site-with-key.ts';

const python = await pythonEnvironment('fuzzer', ['schemathesis==4.32.5']);
const missing = 'missing' in python ? python.missing : null;
if (missing !== null) process.stdout.write(`SKIPPED: ${missing}\n`);

/**
 * What is checked of every answer. Not its shape: rows (`prefixItems`) are no schema for this fuzzer, ajv and types.clients.ts look at
 * those. Not that wrong requests have a status of their own: situations of the specification answer 200 and `error: "true"`.
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'ignored_auth',
];

let started: SiteWithKey;

describe.skipIf(missing !== null)('schemathesis', () => {
  beforeAll(async () => {
    started = await startSiteWithKey({
      LIMIT_CALCULATIONS_PER_MINUTE: '100000',
      LIMIT_UPLOADS_PER_MINUTE: '100000',
    });
  }, 300_000);
  afterAll(() => started.site.stop());

  it('finds nothing', async () => {
    const printed = await (python as PythonEnvironment).run('schemathesis', [
      'run',
      `${started.site.url}/api/openapi.json`,
      '--header',
      `Authorization: Bearer ${started.key}`,
      '--checks',
      CHECKS.join(),
      '--phases',
      'examples,coverage',
      '--seed',
      '1',
      '--generation-deterministic',
      '--no-shrink',
      '--request-timeout',
      '60',
      '--warnings',
      'off',
      // A stream has no end.
      '--exclude-operation-id',
      'watchSubmissions',
    ]);
    expect(printed).toMatch(/No issues found/);
  });
});
