import { describe, expect, it } from 'vitest';
import { i18next } from './i18n.ts';

// Every catalogue of the site registers itself when its file is loaded.
const files = import.meta.glob('../**/*texts.ts', { eager: true });
const catalogues = (language: string): [string, string][] =>
  Object.entries(i18next.getDataByLanguage(language) ?? {}).flatMap(([namespace, texts]) =>
    Object.entries(texts as Record<string, string>).map(([key, text]): [string, string] => [
      `${namespace}.${key}`,
      text,
    ]),
  );
const saying = (language: string, pattern: RegExp) =>
  catalogues(language).filter(([, text]) => pattern.test(text));

/** Words of the field that are wrong, or translated word by word, and what a Chinese researcher says instead. */
const WRONG = [
  [/凸包上能量|凸包以上/, '高于凸包（的能量）: the former reads as the energy on the hull'],
  [/能量标度/, '能量基准'],
  [/^条能带$/, '个能带结构: the former counts bands'],
  [/最强反应/, '驱动力最大的反应'],
  [/e\.g\./, '例如'],
  [/Struct[_ ]id/i, '材料编号'],
  [/eV\/原子/, 'eV/atom, one unit on all pages'],
  [/（(?:eV|V|Å|K|bar|kJ)[^）]*）/, 'units stand in half-width brackets'],
] as const;

describe('the texts of the site', () => {
  it('are all loaded', () => {
    expect(Object.keys(files).length).toBeGreaterThan(15);
    expect(catalogues('zh').length).toBeGreaterThan(500);
  });

  it.each(WRONG)('Chinese never says %s: %s', (pattern) => {
    expect(saying('zh', pattern)).toEqual([]);
  });

  it('English says what a thing is not, not that it is no thing', () => {
    expect(saying('en', /” is no /)).toEqual([]);
  });
});
