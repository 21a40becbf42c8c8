// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { NavBar } from './nav-bar.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.restoreAllMocks();
});

const press = async (name: string) => {
  await userEvent.setup().click(screen.getByRole('button', { name }));
};

describe('the language switch', () => {
  it('changes the words in place, there and back, keeps the choice and tells screen readers', async () => {
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

  it('loads the home page anew', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
    await renderInApp(<NavBar isSignedIn={false} />, { path: '/', language: 'zh' });
    await press('Switch to English');
    await expect.poll(() => reload).toHaveBeenCalledOnce();
  });
});
