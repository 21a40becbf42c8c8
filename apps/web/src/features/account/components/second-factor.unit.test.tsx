// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { encode } from 'uqr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { signIn } from '../api/sign-in.ts';
import { dropPendingFactor, usePendingFactor } from '../third-party.ts';
import { SecondFactorPanel } from './login-overlay.tsx';
import { QrCode } from './second-factor-setup.tsx';

/** Answers by path, and the requests received. */
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
  vi.unstubAllGlobals();
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
