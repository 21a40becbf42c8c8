import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { asJob, startTracing } from './tracing.ts';

/** Loads a module as the api does, and prints which files of OpenTelemetry's SDK came with it. (Its types of nothing, `api`, come with prom-client.) */
const LOAD = `
import { createRequire } from 'node:module';
await import(process.argv[1]);
const require = createRequire(import.meta.url);
process.stdout.write(JSON.stringify(Object.keys(require.cache).filter((file) => file.includes('@opentelemetry/') && !file.includes('@opentelemetry/api/'))));
`;

const loadedWith = async (module: string): Promise<string[]> => {
  const file = new URL(module, import.meta.url).href;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', LOAD, file];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as string[];
};

describe('without a collector', () => {
  it('there is no tracing, and work is done as ever', async () => {
    expect(await startTracing(null, 'api', pino({ level: 'silent' }))).toBeNull();
    expect(await asJob(null, { name: 'a job' }, async () => 7)).toBe(7);
  });

  it('nothing of its SDK is loaded by the api or the worker', async () => {
    expect(await loadedWith('../../app.ts')).toEqual([]);
    expect(await loadedWith('../queue.ts')).toEqual([]);
    // The test can tell.
    expect((await loadedWith('./otlp-tracing.ts')).length).toBeGreaterThan(10);
  });
});
