/** A site with GitHub and WeChat sign-in, a fake provider for both, and browsers that sign in through it. */
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeEach, expect } from 'vitest';
import { startFakeOAuth } from '@unitcell/tools/testing/fake-oauth';
import { buildTestApp } from './build-test-app.ts';

export const SITE = 'https://materials.example.org';

export type Provider = 'github' | 'wechat';

/** The cookies of a browser for the site. */
export interface Browser {
  cookie: string;
}

export interface SendOptions {
  readonly browser?: Browser | undefined;
  readonly token?: string | undefined;
}

export const freshBrowser = (): Browser => ({ cookie: '' });

/** Opens the site for one test file. Each test begins with a working provider, an unknown person and full budgets. */
export async function openThirdPartySite(env: Readonly<Record<string, string>> = {}) {
  const fakeOAuth = await startFakeOAuth();
  const test = await buildTestApp({ env: { ...fakeOAuth.env, PUBLIC_URL: SITE, ...env } });
  let nextNumber = 0;
  let nextUser = 1000;
  afterAll(async () => {
    await test.close();
    await fakeOAuth.close();
  });
  beforeEach(async () => {
    meetStranger();
    fakeOAuth.isDown = false;
    await refillBudgets();
  });

  const freshMobile = (): string => `137${String(nextNumber++).padStart(8, '0')}`;
  const refillBudgets = () => test.database.pool.query('DELETE FROM rate_bucket');

  /** Makes the next person at the provider unknown to the site. */
  function meetStranger(): void {
    fakeOAuth.nextUser = { id: nextUser++, name: 'octo' };
  }

  async function send(
    path: string,
    body: object | null,
    { browser, token }: SendOptions = {},
  ): Promise<LightMyRequestResponse> {
    const answer = await test.app.inject({
      method: body ? 'POST' : 'GET',
      url: path,
      headers: {
        'accept-language': 'zh-CN',
        ...(browser ? { cookie: browser.cookie } : {}),
        ...(token ? { authorization: `token ${token}` } : {}),
      },
      ...(body ? { payload: body } : {}),
    });
    const set = answer.headers['set-cookie'];
    if (browser && typeof set === 'string') browser.cookie = set.split(';')[0]!;
    return answer;
  }

  /** Visits the provider and returns the callback address to which it redirects. */
  async function visitProvider(provider: Provider, browser: Browser, token?: string): Promise<string> {
    const begun = await send(
      `/api/arkid/${provider}/login/`,
      { redirect_uri: `${SITE}/account?tab=1` },
      { browser, token },
    );
    const { url } = begun.json<{ url: string }>();
    const back = await fetch(url, { redirect: 'manual' });
    const callback = new URL(back.headers.get('location')!);
    expect(callback.origin).toBe(SITE);
    return callback.pathname + callback.search;
  }

  /** Runs the whole sign-in and returns the parameters that the page receives. */
  async function signIn(provider: Provider, browser: Browser, token?: string): Promise<URLSearchParams> {
    const answer = await send(await visitProvider(provider, browser, token), null, { browser });
    expect(answer.statusCode).toBe(303);
    const page = new URL(answer.headers.location!);
    expect([page.origin, page.pathname, page.searchParams.get('tab')]).toEqual([SITE, '/account', '1']);
    return page.searchParams;
  }

  /** Proves a phone number by a code and returns the binding code. */
  async function bindCode(mobile: string, token?: string): Promise<string> {
    await refillBudgets();
    await send('/api/arkid/bind_request_sm/', { mobile }, { token });
    const code = test.messages.findLast((message) => message.mobile === mobile)!.code;
    return (await send('/api/arkid/bind_get_sms_token/', { mobile, code }, { token })).json<{
      sms_token: string;
    }>().sms_token;
  }

  /** Registers a phone number with a provider and returns the token. */
  async function registered(provider: Provider, mobile: string): Promise<string> {
    const browser = freshBrowser();
    const id = (await signIn(provider, browser)).get('third_party_id')!;
    const answer = await send(
      `/api/arkid/${provider}/register/`,
      { mobile, sms_token: await bindCode(mobile), [`${provider}_id`]: id },
      { browser },
    );
    return answer.json<{ token: string }>().token;
  }

  return {
    test,
    fakeOAuth,
    freshMobile,
    refillBudgets,
    meetStranger,
    send,
    visitProvider,
    signIn,
    bindCode,
    registered,
  };
}
