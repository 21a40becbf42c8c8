import { describe, expect, it } from 'vitest';
import { isMessageKey, messages } from './messages.ts';
import { calls } from '@unitcell/contract';
import { statusOf } from '../http/errors.ts';

const placesIn = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '');

describe.each(Object.entries(messages))('%s', (_, { en, zh }) => {
  it('the Chinese text is in Chinese, and the English text in English', () => {
    expect(zh).toMatch(/\p{Script=Han}/u);
    expect(en).not.toMatch(/\p{Script=Han}/u);
    // In English, messages of the science packages are inserted unchanged as the whole text.
    expect(placesIn(zh)).not.toContain('message');
  });

  it('both languages use the same parameters', () => {
    const [inEnglish, inChinese] = [new Set(placesIn(en)), new Set(placesIn(zh))];
    const said = inEnglish.has('message') ? inChinese : inEnglish;
    expect([...inChinese].sort()).toEqual([...said].sort());
  });
});

it.each([...calls])(
  '$name lists each refusal once, and only codes that have a message and status 200',
  ({ refusals }) => {
    expect(refusals.filter((code) => !isMessageKey(code) || statusOf(code) !== 200)).toEqual([]);
    expect(new Set(refusals).size).toBe(refusals.length);
  },
);
