import { searchByElements } from '@unitcell/contract/calls';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { CopyAsCode } from './copy-as-code.tsx';

afterEach(() => {
  localStorage.clear();
});

const sent = { call: searchByElements, body: { include: 'Ti-O' } };
const program = (name: string) => screen.getByLabelText(name, { selector: 'pre' }).textContent;

async function openDialog() {
  await renderInApp(<CopyAsCode sent={sent} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Code' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Copy as code' }));
  return { user, dialog };
}

it('the dialog shows the request in each language, Python first, and remembers the last choice', async () => {
  const { user, dialog } = await openDialog();
  expect(program('Python')).toContain('"Ti-O"');
  for (const name of ['curl', 'TypeScript']) {
    await user.click(dialog.getByRole('button', { name }));
    expect(program(name)).toContain('Ti-O');
    expect(dialog.getByRole('button', { name }).getAttribute('aria-pressed')).toBe('true');
  }
  cleanup();
  await openDialog();
  expect(program('TypeScript')).toContain('Ti-O');
});

it('the dialog leads to the page on which keys are made', async () => {
  const { dialog } = await openDialog();
  expect(dialog.getByRole('link', { name: 'Get a key' }).getAttribute('href')).toBe('/account?tab=account');
});

it('the dialog copies the shown program and confirms it, or explains what to do if the browser refuses', async () => {
  const { user, dialog } = await openDialog();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce();
  await user.click(dialog.getByRole('button', { name: 'Copy' }));
  await dialog.findByText('Copied');
  expect(write).toHaveBeenCalledWith(program('Python'));
  // The "copied" mark must not apply to another language's program.
  await user.click(dialog.getByRole('button', { name: 'curl' }));
  expect(dialog.queryByText('Copied')).toBeNull();
  write.mockRejectedValueOnce(new Error('denied'));
  await user.click(dialog.getByRole('button', { name: 'Copy' }));
  await dialog.findByText(/select the text and copy it/);
});

it('the dialog can be closed and opened again', async () => {
  const { user } = await openDialog();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Code' }));
  await screen.findByRole('dialog', { name: 'Copy as code' });
});
