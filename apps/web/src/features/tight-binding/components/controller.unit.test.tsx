// @vitest-environment happy-dom
import { netById } from '@unitcell/tight-binding';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { usePlayground } from '../use-playground.ts';
import { Controller } from './controller.tsx';

/** Delay of the page's guard in ms. */
const GUARD_MS = 60;

function Page() {
  const { net, controls, change } = usePlayground();
  return (
    <Controller
      net={net}
      controls={controls}
      onChange={change}
      onGenerate={() => undefined}
      onDefaults={() => undefined}
      isGenerating={false}
      remark=""
    />
  );
}

async function openPage(language: 'zh' | 'en', path = '/') {
  const router = createMemoryRouter(
    [
      {
        path: '/',
        Component: Page,
        HydrateFallback: () => null,
        loader: () => new Promise((answer) => setTimeout(() => answer(null), GUARD_MS)),
      },
    ],
    { initialEntries: [path] },
  );
  await renderInApp(<RouterProvider router={router} />, { language, isRouted: true });
  await pass(GUARD_MS);
  return router;
}
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const valueOf = (name: string) => Number(screen.getByRole('slider', { name }).getAttribute('aria-valuenow'));

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe.each([
  ['en', 't2 ratio'],
  ['zh', 't2 比值'],
] as const)('the sliders in %s', (language, t2) => {
  it.each([120, 310, 330, 350, 380])('lose none of eight key presses %d ms apart', async (rhythm) => {
    const router = await openPage(language);
    const user = userEvent.setup({ delay: null });
    act(() => screen.getByRole('slider', { name: t2 }).focus());
    for (let press = 0; press < 8; press++) {
      await user.keyboard('{ArrowRight}');
      await pass(rhythm);
    }
    expect(valueOf(t2)).toBeCloseTo(-0.2, 9);
    await pass(1000);
    expect(router.state.location.search).toContain('t2=-0.2');
  });
});

it('each slider keeps its value when the next ones move', async () => {
  await openPage('en');
  const user = userEvent.setup({ delay: null });
  const onsite = `Onsite energy ${netById('kgm').orbits[0]?.symbol ?? ''}`;
  const names = screen.getAllByRole('slider').map((slider) => slider.getAttribute('aria-label') ?? '');
  const third = names.find((name) => name.includes(onsite)) ?? names[2] ?? '';
  for (const name of ['t1 ratio', 't2 ratio', third]) {
    act(() => screen.getByRole('slider', { name }).focus());
    await user.keyboard('{ArrowRight}');
    await pass(300);
  }
  await pass(1000);
  expect([valueOf('t1 ratio'), valueOf('t2 ratio'), valueOf(third)]).toEqual([1, -0.9, 0.5]);
});
