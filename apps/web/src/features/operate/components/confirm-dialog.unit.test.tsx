// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { ConfirmDialog } from './shared.tsx';

afterEach(cleanup);

async function open() {
  const [confirm, close] = [vi.fn<() => void>(), vi.fn<() => void>()];
  await renderInApp(
    <ConfirmDialog
      title="Delete"
      question="Delete the backup of Monday?"
      doLabel="Delete it"
      onConfirm={confirm}
      onClose={close}
    />,
  );
  expect(await screen.findByRole('dialog', { name: 'Delete' })).toBeDefined();
  return { confirm, close, user: userEvent.setup() };
}

it('the dialog confirms only by its own button', async () => {
  const { confirm, close, user } = await open();
  await user.click(screen.getByRole('button', { name: 'Delete it' }));
  expect(confirm).toHaveBeenCalledOnce();
  expect(close).not.toHaveBeenCalled();
});

it('Escape, the close button and Cancel change nothing', async () => {
  const { confirm, close, user } = await open();
  await user.keyboard('{Escape}');
  for (const button of screen.getAllByRole('button'))
    if (button.textContent !== 'Delete it') await user.click(button);
  expect(close).toHaveBeenCalledTimes(3);
  expect(confirm).not.toHaveBeenCalled();
});
