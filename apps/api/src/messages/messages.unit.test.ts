import { describe, expect, it } from 'vitest';
import { messages } from './messages.ts';

const placesIn = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '');

describe.each(Object.entries(messages))('%s', (_, { en, zh }) => {
  it('is Chinese where it is said in Chinese, and English where in English', () => {
    expect(zh).toMatch(/\p{Script=Han}/u);
    expect(en).not.toMatch(/\p{Script=Han}/u);
    // What the science packages say of a structure is English as a whole.
    expect(placesIn(zh)).not.toContain('message');
  });

  it('names nothing in one language that it keeps from the other', () => {
    const [inEnglish, inChinese] = [new Set(placesIn(en)), new Set(placesIn(zh))];
    const said = inEnglish.has('message') ? inChinese : inEnglish;
    expect([...inChinese].sort()).toEqual([...said].sort());
  });
});
