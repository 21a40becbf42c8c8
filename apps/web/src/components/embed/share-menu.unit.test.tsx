import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { ShareMenu } from './share-menu.tsx';

it('a browser without ClipboardItem copies the address', async () => {
  const user = userEvent.setup();
  vi.stubGlobal('ClipboardItem', undefined);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce();
  await renderInApp(<ShareMenu kind="material" of="142" title="TiO2" />);
  await user.click(screen.getByRole('button', { name: 'Share' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
  expect(write).toHaveBeenCalledExactlyOnceWith(location.href);
});

it('the code of a frame is copied by the click itself, before its key has arrived', async () => {
  const user = userEvent.setup();
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
  const write = vi.spyOn(navigator.clipboard, 'write').mockResolvedValueOnce();
  await renderInApp(<ShareMenu kind="material" of="142" title="TiO2" />);
  await user.click(screen.getByRole('button', { name: 'Share' }));
  await user.click(await screen.findByRole('menuitem', { name: /frame/ }));
  expect(write).toHaveBeenCalledOnce();
  answer(new Response(JSON.stringify({ error: 'false', message: '', key: 'k1' })));
  const [items] = write.mock.calls[0]!;
  const copied = await items[0]!.getType('text/plain');
  expect(await copied.text()).toContain('/embed/material/142?key=k1&');
});
