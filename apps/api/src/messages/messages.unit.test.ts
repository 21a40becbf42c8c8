import { describe, expect, it } from 'vitest';
import { messages } from './messages.ts';

const placesIn = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '');

describe.each(Object.entries(messages))('%s', (_, { en, zh }) => {
  it('the Chinese text is in Chinese, and the English text in English', () => {
    expect(zh).toMatch(/\p{Script=Han}/u);
    expect(en).not.toMatch(/\p{Script=Han}/u);
    // Messages of the science packages are inserted as a whole in English.
    expect(placesIn(zh)).not.toContain('message');
  });

  it('both languages use the same parameters', () => {
    const [inEnglish, inChinese] = [new Set(placesIn(en)), new Set(placesIn(zh))];
    const said = inEnglish.has('message') ? inChinese : inEnglish;
    expect([...inChinese].sort()).toEqual([...said].sort());
  });
});
