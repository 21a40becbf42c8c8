// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { setLanguage } from './i18n.ts';
import { defineTexts, useTexts } from './texts.ts';

afterEach(cleanup);

const texts = defineTexts('texts-test', {
  en: { found_one: '{{count}} phase: {{name}}', found_other: '{{count}} phases: {{name}}' },
  zh: { found_other: '{{count}} 个相：{{name}}' },
});

it('texts follow the language, plural and values; their function stays the same one while it does not change', async () => {
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
