// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { ListTable } from './list-table.tsx';

afterEach(cleanup);

const rows = [
  { id: 7, name: 'TiO2', gap: 1.8 },
  { id: 9, name: 'MgO', gap: 4.4 },
];
const columns = [
  { id: 'name', header: 'Formula', render: (row: (typeof rows)[number]) => row.name },
  { id: 'gap', header: 'Gap', render: (row: (typeof rows)[number]) => row.gap, isNumeric: true },
];

it('names rows by their first cell and every other cell by its column, for a phone that shows no head', async () => {
  await renderInApp(
    <ListTable
      label="Materials"
      rows={rows}
      columns={columns}
      rowKey={({ id }) => id}
      empty="Nothing yet"
      renderActions={({ id }) => <button type="button">{`Delete ${id}`}</button>}
      actionsLabel="Actions"
    />,
  );
  const table = screen.getByRole('table', { name: 'Materials' });
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['TiO2', 'MgO']);
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Formula', 'Gap', 'Actions']);
  const [, ofMgO] = within(table).getAllByRole('row').slice(1);
  const cell = within(ofMgO!).getByText('4.4');
  expect(cell.getAttribute('data-label')).toBe('Gap');
  expect(within(ofMgO!).getByRole('button', { name: 'Delete 9' })).toBeDefined();
  // What scrolls is reached by the keyboard.
  expect(screen.getByRole('region', { name: 'Materials' }).tabIndex).toBe(0);
});

it('without rows says so, without an empty table', async () => {
  await renderInApp(
    <ListTable label="Materials" rows={[]} columns={columns} rowKey={({ id }) => id} empty="Nothing yet" />,
  );
  expect(screen.getByText('Nothing yet')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});
