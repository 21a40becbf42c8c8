// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { PeriodicTable } from '../periodic-table.tsx';
import { SearchForm } from './search-form.tsx';
import { findProblem, type SearchType, selectedElements, toggleElement } from './search-input.ts';

afterEach(cleanup);

/** Form and periodic table as on the search pages, inside a page that receives clicks. */
function SearchPage({ onSearch }: { readonly onSearch: (input: string) => void }) {
  const [{ type, input }, setTyped] = useState<{ type: SearchType; input: string }>({
    type: 'elements',
    input: '',
  });
  return (
    <main tabIndex={-1} data-testid="page">
      <SearchForm
        type={type}
        input={input}
        problem={findProblem(type, input)}
        isSearching={false}
        onType={(next) => setTyped({ type: next, input: '' })}
        onInput={(next) => setTyped({ type, input: next })}
        onSearch={() => onSearch(input)}
      />
      <PeriodicTable
        selected={new Set(selectedElements(type, input))}
        onToggle={(symbol) => setTyped({ type: 'elements', input: toggleElement(type, input, symbol) })}
      />
      <p>elsewhere</p>
    </main>
  );
}

const TEXTS = {
  en: {
    box: 'Search for',
    search: 'Search',
    clear: 'Clear',
    by: 'Search by',
    oxygen: /O Oxygen/,
    wrongFormula: 'Position 3: “Xx” is not an element symbol',
  },
  zh: {
    box: '检索内容',
    search: '检索',
    clear: '清空',
    by: '检索方式',
    oxygen: /O 氧/,
    wrongFormula: '第 3 个字符：“Xx”不是元素符号',
  },
} as const;

describe.each(['en', 'zh'] as const)('the search form in %s', (language) => {
  const texts = TEXTS[language];
  const open = async () => {
    const onSearch = vi.fn<(input: string) => void>();
    await renderInApp(<SearchPage onSearch={onSearch} />, { language });
    return {
      onSearch,
      user: userEvent.setup(),
      box: screen.getByRole<HTMLInputElement>('textbox', { name: texts.box }),
    };
  };

  it('Enter searches after a click anywhere on the page', async () => {
    const { onSearch, user, box } = await open();
    await user.type(box, 'Si');
    await user.click(screen.getByText('elsewhere'));
    expect(document.activeElement).toBe(screen.getByTestId('page'));
    await user.keyboard('{Enter}');
    expect(onSearch.mock.calls).toEqual([['Si']]);
  });

  it('clicking Ti and O and pressing Enter searches Ti-O without removing anything', async () => {
    const { onSearch, user, box } = await open();
    for (const name of [/22 Ti /, texts.oxygen]) await user.click(screen.getByRole('button', { name }));
    await user.keyboard('{Enter}');
    expect(onSearch.mock.calls).toEqual([['Ti-O-']]);
    expect(box.value).toBe('Ti-O-');
  });

  it('Enter toggles a tile focused by the keyboard', async () => {
    const { onSearch, user, box } = await open();
    screen.getByRole('button', { name: texts.oxygen }).focus();
    await user.keyboard('{Enter}');
    expect([box.value, onSearch.mock.calls.length]).toEqual(['O-', 0]);
  });

  it('Enter does nothing if the input is empty or invalid', async () => {
    const { onSearch, user, box } = await open();
    await user.click(screen.getByText('elsewhere'));
    await user.keyboard('{Enter}');
    await user.type(box, 'Xx{Enter}');
    expect(box.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('button', { name: texts.search }).matches(':disabled')).toBe(true);
    expect(onSearch).not.toHaveBeenCalled();
  });

  it('/ focuses the box from the page, and is typed as a character inside it', async () => {
    const { user, box } = await open();
    await user.click(screen.getByText('elsewhere'));
    await user.keyboard('/');
    expect([document.activeElement, box.value]).toEqual([box, '']);
    await user.keyboard('/');
    expect(box.value).toBe('/');
  });

  it('shows the error of a formula in the language of the page', async () => {
    const { user, box } = await open();
    await user.selectOptions(screen.getByRole('combobox', { name: texts.by }), 'formula');
    await user.type(box, 'TiXx2');
    expect(screen.getByRole('status').textContent).toBe(texts.wrongFormula);
  });

  it('the clear button empties the box and keeps the focus in it; changing the type empties it too', async () => {
    const { user, box } = await open();
    await user.type(box, 'Ti-O');
    await user.click(screen.getByRole('button', { name: texts.clear }));
    expect([box.value, document.activeElement]).toEqual(['', box]);
    await user.type(box, 'Ti-O');
    await user.selectOptions(screen.getByRole('combobox', { name: texts.by }), 'formula');
    expect(box.value).toBe('');
  });
});
