import { getPhaseDiagram, placeCompound, predict } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { serve } from '../../testing/serve.ts';
import { Page } from './predict-page.tsx';

it('the page says that a predicted crystal could not be placed on the diagram', async () => {
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

function Address() {
  return <output>{useLocation().search}</output>;
}

it('the choice of unstable phases is kept in the address, beside what is predicted', async () => {
  serve({
    [predict.path]: examples['predict']?.response as object,
    [getPhaseDiagram.path]: examples['getPhaseDiagram']?.response as object,
    [placeCompound.path]: examples['placeCompound']?.response as object,
  });
  await renderInApp(
    <>
      <Page />
      <Address />
    </>,
    { path: '/predict?formula=TiO2&unstable=1' },
  );
  const shown = await screen.findByRole('button', { name: 'Show unstable phases' });
  expect(shown.getAttribute('aria-pressed')).toBe('true');
  await userEvent.click(shown);
  expect(await screen.findByText('?formula=TiO2&unstable=0')).toBeTruthy();
});
