import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserInfor } from '@unitcell/contract/account';
import { ApiError } from '../../../lib/api-client.ts';
import { renderInApp } from '../../../testing/render.tsx';
import { BindAccountPanel, SecondFactorPanel, LoginPanel } from './login-overlay.tsx';
import { SecondFactorSection } from './account-manager.tsx';
import { ApiKeySection } from './api-key-section.tsx';
import { CodeForm } from './code-form.tsx';
import { storeToken } from '../../../lib/session.ts';
import { serve } from '../../../testing/serve.ts';
import { encode } from 'uqr';
import { signIn } from '../api/sign-in.ts';
import { dropPendingFactor, usePendingFactor } from '../third-party.ts';
import { QrCode } from './second-factor-setup.tsx';

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
  it('opens the agreement and the privacy policy in a new tab, so that input is kept', async () => {
    answer({ providers: [] });
    await renderInApp(<LoginPanel onSignedIn={() => undefined} />);
    for (const name of ['service agreement', 'privacy policy'])
      expect(screen.getByRole('link', { name }).getAttribute('target')).toBe('_blank');
  });
});

describe('binding another sign-in after a registration', () => {
  it('asks first for a choice, then for confirmation', async () => {
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

const offered = (ways: object) => ({
  '/providers/': { providers: [], phone: true, oidc: null, ldap: null, ...ways },
});

describe('API keys that administrators issue', () => {
  beforeEach(() => storeToken('token'));
  afterEach(() => storeToken(null));
  const keys = { keys: [], allowed: false, max_keys: 5, max_days: 365, scopes_offered: ['all'] };

  it.each([
    ['en', 'Ask for a key by e-mail'],
    ['zh', '发送邮件申请密钥'],
  ] as const)('are asked for at the mailbox of the site, in %s', async (language, name) => {
    serve({ '/keys/': keys, '/get_data/': { contact: 'data@example.org' } });
    await renderInApp(<ApiKeySection user={{} as UserInfor} />, { language });
    const link = await screen.findByRole('link', { name });
    expect(link.getAttribute('href')).toMatch(/^mailto:data@example\.org\?subject=Unitcell/);
  });

  it('have no link if the site has no mailbox', async () => {
    serve({ '/keys/': keys, '/get_data/': { contact: '' } });
    await renderInApp(<ApiKeySection user={{} as UserInfor} />);
    expect(await screen.findByText(/administrators issue API keys/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: /e-mail/ })).toBeNull();
  });
});

describe('the login of an institute', () => {
  it('is the login of the specification if nothing else is configured', async () => {
    serve(offered({}));
    await renderInApp(<LoginPanel onSignedIn={() => undefined} />);
    expect(await screen.findByLabelText('Mobile number')).toBeTruthy();
    expect(screen.queryByLabelText('User name')).toBeNull();
    expect(screen.queryByRole('button', { name: /institute/ })).toBeNull();
  });

  it('does not ask for a phone number if the site sends no text messages, and requires the agreement before sending anything', async () => {
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

describe('the second factor', () => {
  /** Fake server: the answer for each path, and the requests it received. */
  let answers: Record<string, object>;
  let asked: [string, unknown][];
  beforeEach(() => {
    answers = {};
    asked = [];
    vi.stubGlobal('fetch', async (input: string | URL, init?: { body?: string }) => {
      const path = new URL(String(input), 'http://site').pathname.split('/').at(-2) ?? '';
      asked.push([path, init?.body === undefined ? null : JSON.parse(init.body)]);
      return new Response(JSON.stringify({ error: 'false', message: '', ...answers[path] }), {
        headers: { 'Content-Type': 'application/json' },
      });
    });
  });
  afterEach(() => {
    cleanup();
    dropPendingFactor();
  });

  const Pending = () => <p>{usePendingFactor()?.challenge ?? 'none'}</p>;

  describe('a sign-in that asks for a second factor', () => {
    it('returns no token, and the popup receives the challenge', async () => {
      answers = {
        login_get_sms_token: { sms_token: 'confirmed' },
        login_check_sm: { second_factor: { challenge: 'c1', enroll: false } },
      };
      expect(await signIn('login', '13800000000', '123456')).toBeNull();
      await renderInApp(<Pending />);
      expect(screen.getByText('c1')).toBeTruthy();
    });

    it.each([
      ['en', 'App code', 'Confirm'],
      ['zh', '验证器验证码', '确认'],
    ] as const)('in %s: is completed by the code of the app', async (language, label, button) => {
      answers = { second_factor_verify: { token: 'the-token' } };
      const signedIn = vi.fn<(token: string) => void>();
      await renderInApp(
        <SecondFactorPanel pending={{ challenge: 'c1', enroll: false }} onSignedIn={signedIn} />,
        { language },
      );
      const user = userEvent.setup();
      await user.type(screen.getByLabelText(label), '123456');
      await user.click(screen.getByRole('button', { name: button }));
      await expect.poll(() => signedIn).toHaveBeenCalledWith('the-token');
      expect(asked).toEqual([['second_factor_verify', { challenge: 'c1', code: '123456' }]]);
    });

    it('if required, shows the key once, then the recovery codes, and continues once they are saved', async () => {
      answers = {
        second_factor_enroll: { secret: 'GEZDGNBV', uri: 'otpauth://totp/x' },
        second_factor_confirm: { recovery_codes: ['ABCD-EFGH'], token: 'the-token' },
      };
      const signedIn = vi.fn<(token: string) => void>();
      await renderInApp(
        <SecondFactorPanel pending={{ challenge: 'c2', enroll: true }} onSignedIn={signedIn} />,
        { language: 'en' },
      );
      expect(await screen.findByText('GEZDGNBV')).toBeTruthy();
      const user = userEvent.setup();
      await user.type(screen.getByLabelText('App code'), '123456');
      await user.click(screen.getByRole('button', { name: 'Confirm' }));
      expect(await screen.findByText('ABCD-EFGH')).toBeTruthy();
      expect(signedIn).not.toHaveBeenCalled();
      await user.click(screen.getByRole('button', { name: 'I have saved them' }));
      expect(signedIn).toHaveBeenCalledWith('the-token');
      expect(asked.map(([path]) => path)).toEqual(['second_factor_enroll', 'second_factor_confirm']);
    });
  });

  it('QrCode draws each dark module of the code, with a quiet zone of four', async () => {
    const text = 'otpauth://totp/Unitcell:1?secret=JBSWY3DPEHPK3PXP';
    await renderInApp(<QrCode text={text} label="Key" />);
    const svg = screen.getByRole('img', { name: 'Key' });
    const drawn = [...(svg.querySelector('path')?.getAttribute('d') ?? '').matchAll(/M(\d+) (\d+)h/g)].map(
      ([, x, y]) => [Number(x), Number(y)],
    );
    const { data } = encode(text, { ecc: 'M', border: 0 });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x + 4, y + 4]] : [])));
    expect(drawn).toEqual(dark);
    expect(svg.getAttribute('viewBox')).toBe(`0 0 ${data.length + 8} ${data.length + 8}`);
  });
});

it('an account without a number is asked to add one before it can turn on the second factor', async () => {
  storeToken('token');
  serve({ '/second_factor/': { error: 'false', enabled: false, demanded: false, recovery_codes_left: 0 } });
  await renderInApp(<SecondFactorSection user={{ mobile: '' } as UserInfor} />, { language: 'en' });
  await screen.findByText(/Add a mobile number first/);
  expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull();
  storeToken(null);
});
