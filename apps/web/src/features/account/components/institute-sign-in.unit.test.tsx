// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { LoginPanel } from './login-panel.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const offered = (ways: object) => ({
  '/providers/': { providers: [], phone: true, oidc: null, ldap: null, ...ways },
});

describe('the login of an institute', () => {
  it('follows the specification if nothing else is configured', async () => {
    serve(offered({}));
    await renderInApp(<LoginPanel onSignedIn={() => undefined} />);
    expect(await screen.findByLabelText('Mobile number')).toBeTruthy();
    expect(screen.queryByLabelText('User name')).toBeNull();
    expect(screen.queryByRole('button', { name: /institute/ })).toBeNull();
  });

  it('asks for no phone without text messages, and requires the agreement before sending anything', async () => {
    const token = 'eyJ';
    const sent = serve({
      ...offered({ phone: false, ldap: '' }),
      '/ldap/login/': { error: 'false', message: '', token },
    });
    const signedIn = vi.fn<(token: string, mode: string) => void>();
    await renderInApp(<LoginPanel onSignedIn={signedIn} />);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('User name'), 'curie');
    await user.type(screen.getByLabelText('Password'), 'polonium');
    expect(screen.queryByLabelText('Mobile number')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByText(/Please agree/)).toBeTruthy();
    expect(sent).toEqual([]);
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await expect.poll(() => signedIn).toHaveBeenCalledWith(token, 'login');
    expect(sent).toEqual([{ username: 'curie', password: 'polonium' }]);
  });

  it('says whom to ask if sign-up is by invitation only', async () => {
    serve(offered({ phone: false }));
    await renderInApp(<LoginPanel onSignedIn={() => undefined} />, { language: 'zh' });
    expect(await screen.findByText(/仅限受邀用户登录/)).toBeTruthy();
  });
});
