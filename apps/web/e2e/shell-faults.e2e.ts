/** Faults around a page: hostile contents, missing pictures, storage, one broken panel, no server. */
import type { AboutData } from '@unitcell/contract/about';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { refusedByPolicy, watchDocuments } from './support/page-checks.ts';
import { scrollToCentre, open, watchRequests } from './support/page-state.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();

const ABOUT = '**/api/about/get_data/';

/** Opens the site for a visitor and changes the data of the public pages that the server sends. */
async function openWith(path: string, change: (data: AboutData) => object, language: 'zh' | 'en' = 'en') {
  const { page, complaints } = await newVisitor(browser, { language });
  await page.route(ABOUT, async (route: Route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: change((await answer.json()) as AboutData) });
  });
  await open(page, site.url + path);
  return { page, complaints };
}

const hasRun = (page: Page): Promise<boolean> => page.evaluate(() => 'hacked' in window);

describe('contents that the server sends', () => {
  const HOSTILE = [
    '<h1>Terms</h1><script>window.hacked = 1</script>',
    '<img src="/no-such-picture.png" onerror="window.hacked = 1">',
    '<svg onload="window.hacked = 1"></svg><iframe src="javascript:parent.hacked = 1"></iframe>',
    '<a id="bait" href="javascript:window.hacked = 1">here</a><p style="position:fixed">text',
  ].join('\n');

  it('are shown as text if they contain scripts, and no such script runs', async () => {
    const { page } = await openWith('/protocal/user', (data) => ({ ...data, user_agreement: HOSTILE }));
    const document = page.getByRole('article');
    await document.getByText('Terms').first().waitFor();
    await expect.poll(() => document.locator('script, iframe, [onerror], [onload], [style]').count()).toBe(0);
    await document.getByText('here').click();
    await expect.poll(() => document.locator('#bait').getAttribute('href')).toBeNull();
    expect(await hasRun(page)).toBe(false);
  });

  it('are replaced by initials, names and plain text if a picture is missing or a link is empty', async () => {
    const { page } = await openWith('/', (data) => ({
      ...data,
      team: [{ avatar: '/no-such.png', name: 'Ada', ename: '', title: 'Analyst' }],
      supporters: [{ name: 'A foundation', link: '', logo: '/no-such-logo.png' }],
    }));
    await scrollToCentre(page.getByRole('heading', { name: 'Supporters' }));
    await page.getByText('A foundation').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'A foundation' }).count()).toBe(0);
    await expect.poll(() => page.locator('main img').count()).toBe(0);
  });

  it('do not break the rest of the page and the shell when they are malformed', async () => {
    const { page } = await openWith('/', () => ({ compounds: 3, team: 'nobody', supporters: null }));
    await page.getByRole('alert').getByText('This part could not be shown').waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    await page.getByRole('contentinfo').waitFor();
  });
});

it('the content security policy blocks string evaluation, a foreign script, an inline script and a style element', async () => {
  const { page } = await newVisitor(browser);
  await watchDocuments(page);
  await open(page, `${site.url}/about`);
  const outcome = await page.evaluate(async () => {
    const attempt = (work: () => unknown): string => {
      try {
        return String(work());
      } catch (error) {
        return (error as Error).name;
      }
    };
    const script = (fields: object) => () => Object.assign(document.createElement('script'), fields);
    const box = document.createElement('div');
    // The content security policy allows code run by the debugger to evaluate text. After a timer, the code
    // counts as code of the page, to which the policy applies.
    await new Promise((resolve) => setTimeout(resolve));
    return {
      evaluated: attempt(() => Reflect.construct(Function, ['return 1'])()),
      foreign: attempt(script({ src: 'https://evil.example/x.js' })),
      inline: attempt(script({ text: 'window.ran = 1' })),
      markup: attempt(() => {
        box.innerHTML = '<img src="x" onerror="window.ran = 1"><b>kept</b>';
        return box.innerHTML;
      }),
      ran: attempt(() => (globalThis as { ran?: number }).ran),
    };
  });
  expect(outcome).toEqual({
    evaluated: 'EvalError',
    foreign: 'TypeError',
    inline: 'TypeError',
    markup: '<img src="x"><b>kept</b>',
    ran: 'undefined',
  });
  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    document.head.append(style);
  });
  await expect.poll(() => page.locator('body').isVisible()).toBe(true);
  await expect.poll(async () => (await refusedByPolicy(page)).join('\n')).toContain('style-src-elem: inline');
});

describe('a language stored in the browser', () => {
  it('is ignored if it is unknown: the page is then in Chinese', async () => {
    const script = (): void => localStorage.setItem('languageSet', 'tlh');
    const { page, complaints } = await newVisitor(browser, { script });
    await open(page, `${site.url}/about`);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.getByRole('heading', { level: 1, name: '产品介绍' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(['full', 'forbidden'])(
    'may be unavailable because the storage is %s: the language still changes and the menu works',
    async (how) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await context.addInitScript((kind) => {
        const refuse = (): never => {
          throw new DOMException('no storage here', kind === 'full' ? 'QuotaExceededError' : 'SecurityError');
        };
        if (kind === 'full') Storage.prototype.setItem = refuse;
        else
          for (const name of ['localStorage', 'sessionStorage'])
            Object.defineProperty(window, name, { get: refuse });
      }, how);
      const page = await context.newPage();
      watchRequests(page);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await open(page, `${site.url}/about`);
      await page.getByRole('button', { name: 'Switch to English' }).click();
      await page.getByRole('heading', { level: 1, name: 'Introduction' }).waitFor();
      await page.getByRole('button', { name: 'Dark theme' }).click();
      await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').getByLabel('Mobile number').waitFor();
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});

describe('the navigation bar', () => {
  it('is opaque as soon as the page is scrolled', async () => {
    const { page } = await newVisitor(browser, { reducedMotion: 'no-preference' });
    await open(page, `${site.url}/about`);
    const ground = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const bar = document.querySelector('header')!;
          new MutationObserver(() => resolve(getComputedStyle(bar).backgroundColor)).observe(bar, {
            attributeFilter: ['data-opaque'],
          });
          scrollTo(0, 400);
        }),
    );
    expect(ground).toMatch(/^rgb\(/);
  });
});

describe('a panel that throws an error', () => {
  it('shows an error in its place, and the other panels work', async () => {
    const { page } = await newVisitor(browser);
    await page.route('**/assets/figures-*.js*', async (route) => {
      const script = await (await route.fetch()).text();
      const broken = 'const broken = () => { throw new Error("broken on purpose"); };';
      await route.fulfill({
        contentType: 'text/javascript',
        body: broken + script.replace(/[\w$]+ as SiliconPattern/, 'broken as SiliconPattern'),
      });
    });
    await open(page, site.url);
    // Figures start when they come near the window.
    await scrollToCentre(page.getByRole('heading', { name: 'Tools', exact: true }));
    await page.getByRole('alert').getByText('This part could not be shown').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    await page.getByRole('img', { name: /graphene/i }).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.getByRole('dialog').waitFor();
  });
});

describe('a server that is down', () => {
  const isGone = (page: Page) => page.route(`${site.url}/**`, (route) => route.abort());
  const isBack = (page: Page) => page.unroute(`${site.url}/**`);

  it('is reported by the shell, which retries and shows the missing content once the server is back', async () => {
    const { page } = await newVisitor(browser);
    await page.route(ABOUT, (route) => route.abort());
    await page.goto(`${site.url}/team`);
    const banner = page.getByText('The server is not responding');
    await banner.waitFor();
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await page.unroute(ABOUT);
    await page.getByRole('button', { name: 'Try now' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.locator('main').getByText('The server cannot be reached').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('main li').count()).toBeGreaterThan(5);
  });

  it('delays a page whose code cannot be fetched; the page appears once the server is back', async () => {
    const { page } = await newVisitor(browser);
    await open(page, `${site.url}/about`);
    await isGone(page);
    await page.getByRole('contentinfo').getByRole('link', { name: 'User agreement' }).click();
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await page.getByText('The server is not responding').waitFor();
    await isBack(page);
    await page.getByRole('heading', { level: 1, name: 'User agreement' }).waitFor();
  });

  it('is reported in the banner if the code of the sign-in cannot be fetched, and the page stays', async () => {
    const { page } = await newVisitor(browser);
    await open(page, `${site.url}/about`);
    await isGone(page);
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The sign-in could not be opened').waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });
});
