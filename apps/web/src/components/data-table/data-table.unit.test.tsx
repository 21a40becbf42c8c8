import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import type { DataColumn } from './columns.tsx';
import { DataTable } from './data-table.tsx';
import { PAGER_BUTTONS, pagerNumbers } from './table-tools.tsx';

describe('pagerNumbers', () => {
  it('shows every page of a short table', () => {
    expect(pagerNumbers(1, 1)).toEqual([1]);
    expect(pagerNumbers(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('shows a gap only where page numbers are missing', () => {
    expect(pagerNumbers(1, 40)).toEqual([1, 2, 3, 4, 5, 6, null, 40]);
    expect(pagerNumbers(10, 40)).toEqual([1, null, 8, 9, 10, 11, 12, null, 40]);
    expect(pagerNumbers(40, 40)).toEqual([1, null, 35, 36, 37, 38, 39, 40]);
  });

  it('always offers the current, first and last page: at most seven numbers, none twice', () => {
    for (let count = 8; count < 30; count++)
      for (let page = 1; page <= count; page++) {
        const numbers = pagerNumbers(page, count).filter((n) => n !== null);
        expect(numbers).toHaveLength(PAGER_BUTTONS);
        expect(new Set(numbers).size).toBe(PAGER_BUTTONS);
        expect(numbers).toContain(page);
        expect(numbers[0]).toBe(1);
        expect(numbers.at(-1)).toBe(count);
      }
  });
});

interface Row {
  readonly id: number;
  readonly gap: number | null;
}

const rows: readonly Row[] = Array.from({ length: 45 }, (_, i) => ({
  id: i + 1,
  gap: i % 9 === 4 ? null : (i * 7) % 45,
}));
const columns: readonly DataColumn<Row>[] = [
  { id: 'id', header: 'Id', value: (row) => row.id },
  { id: 'gap', header: 'Gap', value: (row) => row.gap, isNumeric: true },
  { id: 'even', header: 'Even', value: (row) => row.id % 2 === 0, isHiddenByDefault: true },
];

const table = (props: Partial<Parameters<typeof DataTable<Row>>[0]> = {}) => (
  <DataTable label="Rows" rows={rows} columns={columns} rowKey={(row) => row.id} {...props} />
);
const cells = (column: number): (string | null)[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[column]?.textContent ?? null);

const phone = (media: string) => ({
  media,
  matches: media.includes('max-width'),
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});

describe('DataTable', () => {
  it('draws a bar in proportion to the value, full at the end of the scale and above', async () => {
    const [, gap] = columns;
    await renderInApp(
      table({
        rows: [20, 80, 0, null].map((value, id) => ({ id, gap: value })),
        columns: [{ ...gap!, barEnd: 40 }],
      }),
    );
    const bars = screen.getAllByRole('cell').map((cell) => cell.style.getPropertyValue('--bar'));
    expect(bars).toEqual(['50%', '100%', '', '']);
  });

  it('shows twenty rows per page and pages through them', async () => {
    await renderInApp(table());
    expect(cells(0)).toHaveLength(20);
    fireEvent.click(screen.getByRole('button', { name: 'Page 3' }));
    expect(cells(0)).toEqual(['41', '42', '43', '44', '45']);
  });

  it('moves three pages after three quick clicks on Next', async () => {
    await renderInApp(table({ pageSize: 10 }));
    const next = screen.getByRole('button', { name: /Next/ });
    act(() => {
      for (let click = 0; click < 3; click++) next.click();
    });
    expect(cells(0)[0]).toBe('31');
  });

  it('applies two column changes made in quick succession', async () => {
    await renderInApp(table());
    fireEvent.click(screen.getByRole('button', { name: 'Show/hide columns' }));
    const boxes = ['Even', 'Gap'].map((name) => screen.getByRole('checkbox', { name }));
    act(() => {
      for (const box of boxes) box.click();
    });
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Id', 'Even']);
  });

  it('sorts all data and not only the page, with missing values last in both directions', async () => {
    await renderInApp(table());
    const sort = screen.getByRole('button', { name: 'Gap' });
    fireEvent.click(sort);
    expect(cells(1).slice(0, 3)).toEqual(['0', '2', '3']);
    fireEvent.click(screen.getByRole('button', { name: 'Page 3' }));
    expect(cells(1).slice(-5)).toEqual(['-', '-', '-', '-', '-']);
    fireEvent.click(sort);
    expect(cells(1)[0]).toBe('44');
    fireEvent.click(screen.getByRole('button', { name: 'Page 3' }));
    expect(cells(1).slice(-5)).toEqual(['-', '-', '-', '-', '-']);
    fireEvent.click(sort);
    expect(cells(0)[0]).toBe('1');
  });

  it('has no sort button where the server cannot sort', async () => {
    const [id, gap] = columns;
    await renderInApp(table({ columns: [id!, { ...gap!, isSortable: false }] }));
    const headings = screen.getAllByRole('columnheader');
    expect(headings.map((heading) => within(heading).queryByRole('button') !== null)).toEqual([true, false]);
  });

  it('shows and hides columns, but never the last one', async () => {
    await renderInApp(table());
    fireEvent.click(screen.getByRole('button', { name: 'Show/hide columns' }));
    expect(screen.queryByRole('columnheader', { name: 'Even' })).toBeNull();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Even' }));
    expect(screen.getByRole('columnheader', { name: 'Even' })).toBeDefined();
    for (const name of ['Id', 'Gap', 'Even']) fireEvent.click(screen.getByRole('checkbox', { name }));
    expect(screen.getAllByRole('columnheader')).toHaveLength(1);
  });

  it('marks a row by the first tap of a finger and opens it by the second, and not while a finger scrolls', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const hovered: (number | null)[] = [];
    function Tapped() {
      const [marked, setMarked] = useState<number | null>(null);
      return table({
        rowHref: (row) => `/row/${row.id}`,
        isHighlighted: (row) => row.id === marked,
        onRowHover: (row) => {
          hovered.push(row?.id ?? null);
          setMarked(row?.id ?? null);
        },
      });
    }
    await renderInApp(<Tapped />);
    const cell = screen.getAllByRole('row')[3]!.lastElementChild!;
    const by = (pointerType: string) => ({ bubbles: true, pointerType });
    fireEvent(cell, new PointerEvent('pointerover', by('touch')));
    fireEvent(cell, new PointerEvent('pointerout', by('touch')));
    expect(hovered).toEqual([]);
    fireEvent(cell, new PointerEvent('click', by('touch')));
    expect(hovered).toEqual([3]);
    expect(open).not.toHaveBeenCalled();
    fireEvent(cell, new PointerEvent('click', by('touch')));
    expect(open).toHaveBeenCalledWith('/row/3', '_blank', 'noopener');
    fireEvent(cell, new PointerEvent('pointerover', by('mouse')));
    fireEvent(cell, new PointerEvent('pointerout', by('mouse')));
    expect(hovered).toEqual([3, 3, null]);
    open.mockRestore();
  });

  it('opens a row in a new tab by click, and by a link for the keyboard', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    await renderInApp(table({ rowHref: (row) => `/row/${row.id}` }));
    const [, first] = screen.getAllByRole('row');
    if (!first) throw new Error('no row');
    fireEvent.click(within(first).getAllByRole('cell')[1] ?? first);
    expect(open).toHaveBeenCalledWith('/row/1', '_blank', 'noopener');
    expect(within(first).getByRole('link').getAttribute('href')).toBe('/row/1');
    open.mockRestore();
  });

  it('has a header for every column, including that of the checkboxes', async () => {
    const selection = { isSelected: () => false, onToggle: () => undefined, label: () => 'choose' };
    await renderInApp(table({ selection }));
    const [header, first] = screen.getAllByRole('row');
    if (!header || !first) throw new Error('no rows');
    const names = within(header).getAllByRole('columnheader');
    expect(names).toHaveLength(within(first).getAllByRole('cell').length);
    for (const name of names) expect(name.textContent).not.toBe('');
  });

  it('shows its key columns first on a phone, without a change of the order in the CSV', async () => {
    vi.stubGlobal('matchMedia', phone);
    const keyed = columns.map((column) => ({ ...column, isKey: column.id === 'gap' }));
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return 'blob:x';
    });
    await renderInApp(table({ columns: keyed, csvName: 'rows' }));
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Gap', 'Id']);
    expect(cells(0)[0]).toBe('0');
    fireEvent.click(screen.getByRole('button', { name: 'Download the table as CSV' }));
    expect(await blobs[0]?.text()).toMatch(/Id,Gap,Even/);
  });

  it('shows a long text under its row on a phone, not in a column of its own', async () => {
    vi.stubGlobal('matchMedia', phone);
    const long = columns.map((column) => ({ ...column, isBelow: column.id === 'gap' }));
    await renderInApp(table({ columns: long }));
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Id']);
    expect(cells(0).slice(0, 4)).toEqual(['1', 'Gap 0', '2', 'Gap 7']);
  });

  it('shows a message below the headers if there are no rows', async () => {
    await renderInApp(table({ rows: [] }));
    expect(screen.getByText('No matching records found')).toBeDefined();
    expect(screen.getAllByRole('columnheader')).toHaveLength(2);
  });
});

describe('DataTable as a list', () => {
  const list = (shown: readonly Row[]) => (
    <DataTable
      isList
      label="Rows"
      rows={shown}
      columns={[
        { id: 'id', header: 'Id', render: (row) => `No. ${row.id}` },
        { id: 'gap', header: 'Gap', render: (row) => row.gap, isNumeric: true },
        {
          id: 'actions',
          header: 'Actions',
          isActions: true,
          render: (row) => <button type="button">{`Delete ${row.id}`}</button>,
        },
      ]}
      rowKey={(row) => row.id}
      empty="Nothing yet"
    />
  );
  const texts = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent);

  it('names rows by their first cell and other cells by their column, because phones hide the header', async () => {
    await renderInApp(list(rows));
    expect(texts('rowheader')).toEqual(rows.map(({ id }) => `No. ${id}`));
    expect(texts('columnheader')).toEqual(['Id', 'Gap', 'Actions']);
    const second = within(screen.getAllByRole('row')[2]!);
    expect(second.getByText('7').getAttribute('data-label')).toBe('Gap');
    expect(second.getByRole('button', { name: 'Delete 2' })).toBeDefined();
    // A scrolling region must be reachable by keyboard.
    expect(screen.getByRole('region', { name: 'Rows' }).tabIndex).toBe(0);
  });

  it('shows a message instead of an empty table', async () => {
    await renderInApp(list([]));
    expect(screen.getByText('Nothing yet')).toBeDefined();
    expect(screen.queryByRole('table')).toBeNull();
  });
});
