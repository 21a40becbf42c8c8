/**
 * schemathesis, a fuzzer for OpenAPI, against a site with the seed data: a fixed number of requests, the same
 * in each run. It sends valid and invalid requests and compares the answers with the document.
 * docs/api/index.md lists the exceptions with reasons.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../../lib/paths.mjs';
import { capture } from '../../lib/run.mjs';
import { pythonEnvironment } from './python-environment.ts';
import { type SiteWithKey, startSiteWithKey } from './site-with-key.ts';

const python = await pythonEnvironment('fuzzer', ['schemathesis==4.32.5']);

const CONFIG = inRepository('tools/src/clients/schemathesis.toml');

/** Upper limit for a hung run. */
const FUZZ_MS = 590_000;

let started: SiteWithKey;

describe('schemathesis', () => {
  beforeAll(async () => {
    started = await startSiteWithKey();
  });
  afterAll(() => started.site.stop());

  it.each([
    ['the examples and the edges of every field', 'examples,coverage'],
    ['requests made at random', 'fuzzing'],
  ])('finds no failure with %s', async (_, phases) => {
    const document = `${started.site.url}/api/openapi.json`;
    const key = ['--header', `Authorization: Bearer ${started.key}`];
    const { output } = await capture(
      python.program('schemathesis'),
      ['--config-file', CONFIG, 'run', document, ...key, '--phases', phases],
      { cwd: inRepository(), timeoutMs: FUZZ_MS },
    );
    // Each finding with its request and its answer, if any.
    expect(/=+ FAILURES =+\n([\s\S]*)=+ SUMMARY/.exec(output)?.[1] ?? '').toBe('');
    expect(output).toMatch(/No issues found/);
  });
});
