import { readdirSync, readFileSync } from 'node:fs';
import { calls } from '@unitcell/contract';
import { describe, expect, it } from 'vitest';
import { statusOf } from '../http/errors.ts';
import { isMessageKey } from '../messages/messages.ts';

const FEATURES = new URL('../features/', import.meta.url);
const groups = [...new Set(calls.map(({ group }) => group))];
const listedBy = (group: string) =>
  new Set(calls.filter((call) => call.group === group).flatMap(({ refusals }) => refusals));

/** Codes that the sources of a slice throw and that are answered with 200. */
function thrownIn(group: string): string[] {
  const folder = new URL(`${group}/`, FEATURES);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const texts = files.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const codes = texts.flatMap((text) =>
    [...text.matchAll(/new AppError\(\s*'([^']+)'/g)].map(([, code]) => code ?? ''),
  );
  return [...new Set(codes)].filter((code) => isMessageKey(code) && statusOf(code) === 200);
}

describe('refusals of the contract', () => {
  it.each([...calls])(
    '$name lists codes that are messages and are answered with 200, once',
    ({ refusals }) => {
      expect(refusals.filter((code) => !isMessageKey(code) || statusOf(code) !== 200)).toEqual([]);
      expect(new Set(refusals).size).toBe(refusals.length);
    },
  );

  it.each(groups)('a call of %s lists each code that the sources of the slice throw', (group) => {
    expect(thrownIn(group).filter((code) => !listedBy(group).has(code))).toEqual([]);
  });

  it('finds codes in the sources at all', () => {
    expect(thrownIn('tight-binding')).toContain('tight-binding.k-points');
  });
});
