import { searchElectrodes } from '@unitcell/contract/electrodes';
import { examples } from '@unitcell/contract/examples';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { serve } from '../../testing/serve.ts';
import { Page } from './electrodes-page.tsx';

it('a file states that it lacks the last electrodes of a large search', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob);
    return 'blob:file';
  });
  const example = searchElectrodes.answer.parse(examples.searchElectrodes?.response);
  serve({ [searchElectrodes.path]: { ...example, len: 12_345 } });
  await renderInApp(<Page />, { path: '/electrodes' });
  await userEvent.setup().click(await screen.findByRole('button', { name: /CSV/ }));
  await expect.poll(() => saved.length).toBe(1);
  expect(await saved[0]!.text()).toContain('# The first 10,000 of 12,345 electrodes.');
});

it('the electrodes of one ion are not shown under the name of the next ion while its answer is pending', async () => {
  serve({ [searchElectrodes.path]: searchElectrodes.answer.parse(examples.searchElectrodes?.response) });
  const ask = fetch;
  // The answer for sodium never arrives.
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    typeof init?.body === 'string' && init.body.includes('"Na"')
      ? new Promise(() => undefined)
      : ask(url, init),
  );
  await renderInApp(
    <>
      <Link to="?ion=Na">sodium</Link>
      <Page />
    </>,
    { path: '/electrodes' },
  );
  await screen.findByRole('heading', { name: /electrodes? of Li/ });
  await userEvent.setup().click(screen.getByText('sodium'));
  await screen.findByText('Searching…');
  expect(screen.queryByRole('heading', { name: /of Na/ })).toBeNull();
});
