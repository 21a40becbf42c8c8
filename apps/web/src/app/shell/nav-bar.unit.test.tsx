import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { AboutTabs } from '../../features/about/components/about-tabs.tsx';
import { NavBar } from './nav-bar.tsx';

afterEach(() => {
  localStorage.clear();
});

const press = async (name: string) => {
  await userEvent.setup().click(screen.getByRole('button', { name }));
};

describe('the language switch', () => {
  it('changes the language in place, both ways, keeps the choice and informs screen readers', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
    await renderInApp(<NavBar isSignedIn={false} />, { path: '/about' });
    await press('切换到中文');
    await screen.findByRole('button', { name: '登录' });
    expect([document.documentElement.lang, localStorage.getItem('languageSet')]).toEqual(['zh-CN', 'zh']);
    await press('Switch to English');
    await screen.findByRole('button', { name: 'Sign in' });
    expect([document.documentElement.lang, localStorage.getItem('languageSet')]).toEqual(['en', 'en']);
    expect(reload).not.toHaveBeenCalled();
  });

  it('reloads the home page', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
    await renderInApp(<NavBar isSignedIn={false} />, { path: '/', language: 'zh' });
    await press('Switch to English');
    await expect.poll(() => reload).toHaveBeenCalledOnce();
  });
});

it('an address with a slash at its end marks its page in the bar and opens its text', async () => {
  await renderInApp(
    <>
      <NavBar isSignedIn={false} />
      <AboutTabs tools={[]} />
    </>,
    { path: '/team/' },
  );
  const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map((link) => link.getAttribute('href'))).toContain('/team');
});
