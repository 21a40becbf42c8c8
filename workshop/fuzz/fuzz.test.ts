import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damagedJson, damagedText } from './damage.ts';
import { runTarget } from './follow.ts';
import { CORPUS } from './target.ts';
import { TARGETS } from './targets.ts';

const BROKEN = new URL('./testing/broken-targets.ts', import.meta.url).href;
const KEPT: readonly { name: string; target: string; outcome: string; input: unknown }[] = JSON.parse(
  readFileSync(new URL('../../apps/api/src/testing/fixtures/broken-inputs.json', import.meta.url), 'utf8'),
);
/**
 * Limit of the processor time per input, ms. On an idle machine an input takes a few ms; some recorded inputs once took
 * forever.
 */
const LIMIT_MS = 4000;

describe('a short run over all parsers', () => {
  it('finds no crash, no slow input and no hang', async () => {
    const count = 500;
    const options = { target: 'mixed', seed: 20_260, count, limitMs: LIMIT_MS };
    const { finding, accepted, refused } = await runTarget(options);
    expect(finding).toBeNull();
    expect(accepted + refused).toBe(count);
    expect(Math.min(accepted, refused)).toBeGreaterThan(count / 5);
  });

  it.each(KEPT)('processes $name, which once failed, with the expected outcome', async (kept) => {
    expect(await TARGETS[kept.target].follow(kept.input)).toBe(kept.outcome);
  });
});

describe('runTarget', () => {
  const options = { seed: 1, count: 30, limitMs: 60_000, module: BROKEN };

  it('reports a crash with the smallest input that crashes', async () => {
    const { finding } = await runTarget({ ...options, target: 'crashes-from-500' });
    expect(finding).toEqual({ kind: 'crash', what: 'TypeError: not a refusal', input: 500 });
  });

  it('reports an input that is slow each time, but not an input that is slow only because code is loaded', async () => {
    const loads = await runTarget({ ...options, target: 'slow-at-first' });
    expect(loads).toMatchObject({ accepted: 30, finding: null });
    const slow = await runTarget({ ...options, target: 'always-slow' });
    expect(slow.finding).toMatchObject({ kind: 'slow', input: 0 });
  });

  it('stops a thread that hangs and reports the input', async () => {
    const { finding } = await runTarget({ ...options, target: 'hangs-from-500', limitMs: 1000 });
    expect(finding?.kind).toBe('hang');
    expect(finding?.input).toBeGreaterThanOrEqual(500);
  });
});

describe('damage', () => {
  it('is reproducible for a seed, nearly always changes the input, and leaves the source unchanged', () => {
    const sources = CORPUS.cifs.slice(0, 1);
    const texts = fc.sample(damagedText(sources), { seed: 4, numRuns: 50 });
    expect(fc.sample(damagedText(sources), { seed: 4, numRuns: 50 })).toEqual(texts);
    expect(texts.filter((text) => text !== sources[0]).length).toBeGreaterThan(40);
    const before = JSON.stringify(CORPUS.structures);
    const values = fc
      .sample(damagedJson(CORPUS.structures), { seed: 5, numRuns: 50 })
      .map((value) => JSON.stringify(value));
    expect(JSON.stringify(CORPUS.structures)).toBe(before);
    const sound = CORPUS.structures.map((value) => JSON.stringify(value));
    expect(values.filter((value) => !sound.includes(value)).length).toBeGreaterThan(40);
  });
});
