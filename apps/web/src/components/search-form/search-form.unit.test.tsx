import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { PeriodicTable } from '../periodic-table.tsx';
import {
  findProblem,
  queryOf,
  SearchForm,
  type SearchType,
  selectedElements,
  toggleElement,
} from './search-form.tsx';

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

describe('findProblem', () => {
  it('accepts hyphen-separated symbols with a trailing hyphen or a wildcard in element mode', () => {
    for (const input of ['', 'Ti', 'Ti-', 'Ti-O', 'Ti - O', 'Ti-O-*', 'Og'])
      expect(findProblem('elements', input)).toBeNull();
  });

  it('names the unknown element in element mode', () => {
    expect(findProblem('elements', 'Ti-Xx')).toEqual({ key: 'unknownElement', symbol: 'Xx' });
    expect(findProblem('elements', 'ti')).toEqual({ key: 'unknownElement', symbol: 'ti' });
    expect(findProblem('elements', 'Ti--O')).toEqual({ key: 'unknownElement', symbol: '' });
  });

  it('reports a formula that is entered in element mode', () => {
    expect(findProblem('elements', 'TiO2')).toEqual({ key: 'formulaInElements', symbol: 'TiO2' });
  });

  it('rejects a leading digit or lowercase letter in formula mode', () => {
    expect(findProblem('formula', '2TiO')).toEqual({ key: 'formulaStart' });
    expect(findProblem('formula', 'tiO2')).toEqual({ key: 'formulaStart' });
    expect(findProblem('formula', 'Li(CoO2)2')).toBeNull();
  });

  it("passes on the parser's error in formula mode", () => {
    expect(findProblem('formula', 'TiQ2')).toMatchObject({
      key: 'formulaSyntax',
      problem: { reason: 'formula-unknown-element', parameters: { found: 'Q', position: 3 } },
    });
    expect(findProblem('formula', 'Li(CoO2')).toMatchObject({ key: 'formulaSyntax' });
  });

  it('reports no error for empty input, ids and very long input', () => {
    expect(findProblem('formula', '')).toBeNull();
    expect(findProblem('struct_id', "'; DROP TABLE material")).toBeNull();
    expect(findProblem('formula', 'A'.repeat(10_000))).toMatchObject({ key: 'formulaSyntax' });
  });
});

describe('toggleElement', () => {
  it('appends "Symbol-" and removes an element that is already present', () => {
    expect(toggleElement('elements', '', 'Ti')).toBe('Ti-');
    expect(toggleElement('elements', 'Ti-', 'O')).toBe('Ti-O-');
    expect(toggleElement('elements', 'Ti-O', 'Ti')).toBe('O-');
    expect(toggleElement('elements', 'O-', 'O')).toBe('');
  });

  it('replaces a formula and keeps the wildcard last', () => {
    expect(toggleElement('formula', 'TiO2', 'Li')).toBe('Li-');
    expect(toggleElement('elements', 'Ti-*', 'O')).toBe('Ti-O-*-');
  });
});

describe('selectedElements', () => {
  it('are parsed from the input', () => {
    expect(selectedElements('elements', 'Ti-O-*')).toEqual(['Ti', 'O']);
    expect(selectedElements('elements', 'Ti-Xx')).toEqual(['Ti']);
    expect(selectedElements('formula', 'Li(CoO2)2')).toEqual(['Li', 'Co', 'O']);
    expect(selectedElements('formula', 'Li(Co')).toEqual([]);
    expect(selectedElements('struct_id', '12')).toEqual([]);
  });
});

describe('queryOf', () => {
  it('strips the trailing hyphen and fills in the default formula', () => {
    expect(queryOf('elements', 'Ti-O-')).toBe('Ti-O');
    expect(queryOf('elements', 'Ti-O-*-')).toBe('Ti-O-*');
    expect(queryOf('formula', ' ')).toBe('Li(CoO2)2');
    expect(queryOf('struct_id', ' 0042 ')).toBe('0042');
  });
});
