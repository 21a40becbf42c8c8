// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { FoldingElements } from './folding-elements.tsx';

afterEach(cleanup);

function Search({ canFold }: { readonly canFold: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <FoldingElements canFold={canFold} isOpen={isOpen} onOpen={setOpen} chosen="Ti O">
      <p>the table</p>
    </FoldingElements>
  );
}

it('shows the table where there are no results, without a button', async () => {
  await renderInApp(<Search canFold={false} />);
  expect(screen.getByText('the table')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

it('folds it to what is chosen above results, and unfolds it', async () => {
  await renderInApp(<Search canFold />);
  expect(screen.queryByText('the table')).toBeNull();
  expect(screen.getByText('Ti O')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { expanded: false }));
  expect(screen.getByText('the table')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { expanded: true }));
  expect(screen.queryByText('the table')).toBeNull();
});
