// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../lib/api-client.ts';
import { renderInApp } from '../../../testing/render.tsx';
import { BindAccountPanel } from './login-overlay.tsx';
import { CodeForm } from './code-form.tsx';
import { LoginPanel } from './login-panel.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const answer = (body: object) =>
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })),
  );

describe('the form for a code', () => {
  it.each([
    ['en', 'Send code', '57 s', /Try again in 57 s/],
    ['zh', '获取验证码', '57 秒', /57 秒后重试/],
  ] as const)(
    'in %s: counts down the waiting time that the server sends',
    async (language, send, left, sentence) => {
      const onSend = () => Promise.reject(new ApiError(429, 'slow down', { retryAfter: 57 }));
      await renderInApp(
        <CodeForm
          lead=""
          fixedMobile="13800000000"
          submitLabel="Go"
          onSend={onSend}
          onSubmit={async () => undefined}
        />,
        { language },
      );
      await userEvent.setup().click(screen.getByRole('button', { name: send }));
      const waiting = await screen.findByRole('button', { name: left });
      expect(waiting.matches(':disabled')).toBe(true);
      expect(screen.getByRole('status').textContent).toMatch(sentence);
    },
  );
});

describe('the login', () => {
  it('opens both texts in a new tab, so that input is kept', async () => {
    answer({ providers: [] });
    await renderInApp(<LoginPanel onSignedIn={() => undefined} />);
    for (const name of ['service agreement', 'privacy policy'])
      expect(screen.getByRole('link', { name }).getAttribute('target')).toBe('_blank');
  });
});

describe('binding another sign-in after a registration', () => {
  it('asks to select first and confirm then', async () => {
    answer({ error: 'false', message: '', url: 'https://provider.example/authorize' });
    const assign = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
    await renderInApp(<BindAccountPanel providers={['github', 'wechat']} onSkip={() => undefined} />);
    const confirm = screen.getByRole('button', { name: 'Confirm' });
    expect(confirm.matches(':disabled')).toBe(true);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Link WeChat', pressed: false }));
    expect(assign).not.toHaveBeenCalled();
    await user.click(confirm);
    await expect.poll(() => assign).toHaveBeenCalledWith('https://provider.example/authorize');
    expect(sessionStorage.getItem('third_party')).toBe('wechat');
  });

  it('can be skipped', async () => {
    const skip = vi.fn<() => void>();
    await renderInApp(<BindAccountPanel providers={['github']} onSkip={skip} />);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Skip' }));
    expect(skip).toHaveBeenCalledOnce();
  });
});
