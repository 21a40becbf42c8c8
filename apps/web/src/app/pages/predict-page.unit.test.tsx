import { getPhaseDiagram, placeCompound, predict } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { Page } from './predict-page.tsx';

it('a predicted crystal that could not be placed on the diagram is said to be missing', async () => {
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === placeCompound.path)
      return new Response(JSON.stringify({ error: 'true', message: 'This entry cannot be placed.' }), {
        status: 422,
      });
    const name = [predict, getPhaseDiagram].find((call) => call.path === path)?.name ?? '';
    return new Response(JSON.stringify(examples[name]?.response ?? {}));
  });
  await renderInApp(<Page />, { path: '/predict?formula=TiO2' });
  expect((await screen.findByText('This entry cannot be placed.')).getAttribute('role')).toBe('alert');
});
