import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { asJob, startTracing } from './tracing.ts';

/**
 * Loads modules as the api does, in one process, and prints how many files of OpenTelemetry's SDK are loaded
 * after each. The package `api` is not counted, because prom-client loads it.
 */
const LOAD = `
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const isOfSdk = (file) => file.includes('@opentelemetry/') && !file.includes('@opentelemetry/api/');
const counts = [];
for (const module of process.argv.slice(1)) {
  await import(module);
  counts.push(Object.keys(require.cache).filter(isOfSdk).length);
}
process.stdout.write(JSON.stringify(counts));
`;

async function countsAfterLoading(...modules: readonly string[]): Promise<number[]> {
  const files = modules.map((module) => new URL(module, import.meta.url).href);
  const args = ['--import', 'tsx', '--input-type=module', '--eval', LOAD, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as number[];
}

describe('without a collector', () => {
  it('tracing is off, and work runs normally', async () => {
    expect(await startTracing(null, 'api', pino({ level: 'silent' }))).toBeNull();
    expect(await asJob(null, { name: 'a job' }, async () => 7)).toBe(7);
  });

  it('neither the api nor the worker loads the SDK', async () => {
    const [api, worker, tracing] = await countsAfterLoading(
      '../../app.ts',
      '../queue.ts',
      './otlp-tracing.ts',
    );
    expect([api, worker]).toEqual([0, 0]);
    // The count detects the SDK when it is loaded.
    expect(tracing).toBeGreaterThan(10);
  });
});
