import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { METHODS } from '../../../components/provenance/methods.ts';
import { Page as MethodsPage } from './methods-page.tsx';
import { Tour } from './tour.tsx';

const press = async (name: string) => userEvent.setup().click(await screen.findByRole('button', { name }));

const targets = ['apps', 'search', 'palette', 'about', 'account'].map((name) => (
  <span key={name} data-tour={name} />
));

it.each(['zh', 'en'] as const)(
  'the page of methods links to each of its methods, in %s',
  async (language) => {
    const { container } = await renderInApp(<MethodsPage />, { language });
    const entries = [...container.querySelectorAll('nav a')].map((link) => [
      link.getAttribute('href'),
      link.textContent,
    ]);
    expect(entries).toEqual(Object.entries(METHODS).map(([id, { title }]) => [`#${id}`, title[language]]));
    for (const [href] of entries) expect(container.querySelector(href!)).not.toBeNull();
  },
);

describe('the tour', () => {
  it('has five steps in both directions, and ends with Done', async () => {
    const end = vi.fn<() => void>();
    await renderInApp(
      <>
        {targets}
        <Tour onEnd={end} />
      </>,
    );
    await screen.findByText('Step 1 of 5');
    await press('Next');
    await press('Back');
    for (const step of [2, 3, 4, 5]) {
      // Steps must run in sequence.
      // oxlint-disable-next-line no-await-in-loop
      await press('Next');
      expect(screen.getByText(`Step ${step} of 5`)).toBeDefined();
    }
    expect(end).not.toHaveBeenCalled();
    await press('Done');
    expect(end).toHaveBeenCalledOnce();
  });

  it('can be ended with Escape at any step', async () => {
    const end = vi.fn<() => void>();
    await renderInApp(
      <>
        {targets}
        <Tour onEnd={end} />
      </>,
    );
    await screen.findByText('Step 1 of 5');
    await userEvent.setup().keyboard('{Escape}');
    expect(end).toHaveBeenCalled();
  });

  it("points at the menu if the bar's controls are inside it", async () => {
    await renderInApp(
      <>
        <span data-tour="menu" />
        <Tour onEnd={() => undefined} />
      </>,
      { language: 'zh' },
    );
    expect(await screen.findByText('第 1 步，共 5 步')).toBeDefined();
  });
});
