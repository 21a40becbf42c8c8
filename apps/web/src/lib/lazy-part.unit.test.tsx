import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { PanelBoundary } from '../components/failure.tsx';
import { renderInApp } from '../testing/render.tsx';
import { lazyPart } from './lazy-part.tsx';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
it('a part that could not be fetched shows an error, and is fetched again on demand', async () => {
  let isDown = true;
  const Part = lazyPart(async () => {
    if (isDown) throw new TypeError('Failed to fetch dynamically imported module');
    return ({ name }: { readonly name: string }) => <p>Hello {name}</p>;
  });
  await renderInApp(
    <PanelBoundary waiting={null}>
      <Part name="Ada" />
    </PanelBoundary>,
  );
  await screen.findByText(/The server cannot be reached/);
  isDown = false;
  screen.getByRole('button', { name: 'Try again' }).click();
  expect(await screen.findByText('Hello Ada')).toBeTruthy();
});

it('an interrupted fetch is retried before an error is shown', async () => {
  let fetches = 0;
  const Part = lazyPart(async () => {
    fetches++;
    if (fetches === 1) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>Hello Ada</p>;
  });
  await renderInApp(
    <PanelBoundary waiting={null}>
      <Part />
    </PanelBoundary>,
  );
  expect(await screen.findByText('Hello Ada')).toBeTruthy();
  expect(fetches).toBe(2);
});
