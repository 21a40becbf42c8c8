// @vitest-environment happy-dom
import { predict } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { PredictPage } from './predict-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('after a file was predicted, a link to a formula shows the formula, not the file', async () => {
  vi.stubGlobal('fetch', async (path: string, { body }: { readonly body?: string } = {}) => {
    const { formula = 'SrTiO3' } = JSON.parse(body ?? '{}') as { readonly formula?: string };
    const answer = path === predict.path ? { ...(examples['predict']?.response as object), formula } : {};
    return new Response(JSON.stringify(answer));
  });
  await renderInApp(<PredictPage Diagram={() => null} />, { path: '/predict' });
  const user = userEvent.setup();
  const shown = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  await user.click(screen.getByRole('button', { name: 'Try SrTiO3' }));
  await expect.poll(shown).toContain('SrTiO3');
  await user.click(screen.getByRole('link', { name: 'LiFePO4' }));
  await expect.poll(shown).toContain('LiFePO4');
  expect(shown()).not.toContain('SrTiO3');
});
