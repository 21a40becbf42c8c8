// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { ElementFold } from './element-fold.tsx';

afterEach(cleanup);

function Search({ canFold, chosen }: { readonly canFold: boolean; readonly chosen: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <ElementFold canFold={canFold} isOpen={isOpen} onOpen={setOpen} chosen={chosen}>
      <p>the table</p>
    </ElementFold>
  );
}

it('shows the table where there are no results, without a button', async () => {
  await renderInApp(<Search canFold={false} chosen="Ti O" />);
  expect(screen.getByText('the table')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

it('folds it to what is chosen above results, and unfolds it', async () => {
  await renderInApp(<Search canFold chosen="Ti O" />);
  expect(screen.queryByText('the table')).toBeNull();
  expect(screen.getByText('Ti O')).toBeDefined();
  const button = screen.getByRole('button', { name: 'Choose elements', expanded: false });
  fireEvent.click(button);
  expect(screen.getByText('the table')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Hide the table', expanded: true }));
  expect(screen.queryByText('the table')).toBeNull();
});

it('says when nothing is chosen, in Chinese too', async () => {
  await renderInApp(<Search canFold chosen={null} />, { language: 'zh' });
  expect(screen.getByText('不限元素')).toBeDefined();
});
