import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { componentTexts } from '../components/texts.ts';
import { detailTexts } from '../features/material/detail-texts.ts';
import { i18next, setLanguage } from './i18n.ts';
import { defineTexts, joined, useTexts } from './texts.ts';

const texts = defineTexts('texts-test', {
  found_one: '{{count}} phase: {{name}}',
  found_other: ['{{count}} phases: {{name}}', '{{count}} 个相：{{name}}'],
});

it('texts follow the language, plural and values; `t` stays the same function until the language changes', async () => {
  const seen: unknown[] = [];
  function Words() {
    const { t, language } = useTexts(texts);
    seen.push(t);
    return (
      <p>
        {language} {t('found', { count: 1, name: 'TiO2' })} {t('found', { count: 2, name: 'a.b:c' })}
      </p>
    );
  }
  const { rerender } = await renderInApp(<Words key="same" />);
  expect(screen.getByText('en 1 phase: TiO2 2 phases: a.b:c')).toBeDefined();
  rerender(<Words key="other" />);
  expect(new Set(seen).size).toBe(1);
  await act(() => setLanguage('zh'));
  expect(screen.getByText('zh 1 个相：TiO2 2 个相：a.b:c')).toBeDefined();
  expect(new Set(seen).size).toBe(2);
});

it.each(['en', 'zh'] as const)(
  'texts without placeholders equal the output of i18next (%s)',
  async (language) => {
    const said: [namespace: string, key: string, text: string][] = [];
    function Words() {
      const { t } = useTexts(componentTexts);
      const { t: ofMaterial } = useTexts(detailTexts);
      const read = (namespace: string, catalogue: object, translate: (key: never) => string) => {
        for (const [key, text] of Object.entries(catalogue) as [never, string][])
          if (!text.includes('{{')) said.push([namespace, key, translate(key)]);
      };
      read(componentTexts.namespace, componentTexts.en, t);
      read(detailTexts.namespace, detailTexts.en, ofMaterial);
      return null;
    }
    await renderInApp(<Words />, { language });
    expect(said.length).toBeGreaterThan(100);
    for (const [namespace, key, text] of said)
      expect([key, text]).toEqual([key, i18next.getFixedT(language, namespace)(key)]);
  },
);

it('sentences are joined with a space in English and without one in Chinese', () => {
  expect(joined('One.', false, 'Two.')).toBe('One. Two.');
  expect(joined('能量基准 PBE。', '', '文献 2 篇。', null)).toBe('能量基准 PBE。文献 2 篇。');
});
