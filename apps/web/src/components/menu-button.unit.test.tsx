// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { MenuButton } from './menu-button.tsx';
import type { MenuAction } from './menu-list.tsx';

afterEach(cleanup);

it('a menu renders when first opened, runs the selected action, closes and restores the focus', async () => {
  const save = vi.fn<() => void>();
  const actions = vi.fn<() => readonly MenuAction[]>(() => [
    { label: 'CSV', onClick: save },
    { label: 'CIF', isDisabled: true, onClick: save },
  ]);
  await renderInApp(
    <MenuButton className="any" actions={actions} note="Everything else in the reference">
      Export
    </MenuButton>,
  );
  const user = userEvent.setup();
  expect(actions).not.toHaveBeenCalled();
  const opener = () => screen.getByRole('button', { name: 'Export' });
  expect(opener().getAttribute('aria-haspopup')).toBe('menu');
  await user.click(opener());
  expect((await screen.findByRole('menuitem', { name: 'CIF' })).matches(':disabled, [data-disabled]')).toBe(
    true,
  );
  expect(screen.getByText('Everything else in the reference')).toBeDefined();
  await user.click(screen.getByRole('menuitem', { name: 'CSV' }));
  expect(save).toHaveBeenCalledOnce();
  await expect.poll(() => screen.queryByRole('menuitem')).toBeNull();
  await user.click(opener());
  await screen.findByRole('menuitem', { name: 'CSV' });
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('menuitem')).toBeNull();
  expect(document.activeElement).toBe(opener());
});
