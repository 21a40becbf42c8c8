/** Pages with missing, wrong, expanded or pending content are accessible: WCAG 2.2 AA by axe. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { violations, violationsInBoth } from './support/axe.ts';
import { newVisitor, type VisitorOptions } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { scrollToCentre, open, showIn, switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000017');

const WORDS = {
  en: {
    columns: 'Show/hide columns',
    showUnstable: 'Show unstable phases',
    numbers: 'Show the numbers of this chart as a table',
    unstable: /Unstable/,
    figure: 'Figure',
    apps: 'Apps',
    offline: 'You are offline.',
    menu: 'Menu',
    login: 'Sign in',
  },
  zh: {
    columns: '显示/隐藏列',
    showUnstable: '显示不稳定相',
    numbers: '本图数据的表格',
    unstable: /不稳定相/,
    figure: '论文图',
    apps: '应用',
    offline: '网络已断开',
    menu: '菜单',
    login: '登录',
  },
} as const;
type Words = (typeof WORDS)[keyof typeof WORDS];

type Step = (page: Page, words: Words) => Promise<unknown>;

interface State {
  readonly path: string;
  /** Actions on the page in order; each leads to a state that is checked. */
  readonly steps?: readonly Step[];
  readonly visitor?: VisitorOptions;
  /** The visitor is not signed in. */
  readonly isPublic?: boolean;
}

const PHONE = { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true };

const STATES: Readonly<Record<string, State>> = {
  'no results': { path: '/matdata?q=Rn-Og' },
  'a search that is none': { path: '/matdata?by=struct_id&q=abc' },
  'the columns to choose from': {
    path: '/matdata?q=O-*',
    steps: [(page, words) => page.getByRole('button', { name: words.columns }).click()],
  },
  'a material that does not exist': { path: '/matdatades/99999999' },
  'an address that is none': { path: '/matdatades/abc' },
  'a diagram refused': { path: '/phase?q=Ti+Og' },
  'a diagram with its unstable phases and its numbers, then with the menu of figures': {
    path: '/phase?q=Ti+O',
    steps: [
      async (page, words) => {
        await page.locator(CHART).first().waitFor();
        await page.getByRole('button', { name: words.showUnstable }).click();
        await page.getByRole('button', { name: words.numbers }).click();
        await page.getByRole('tab', { name: words.unstable }).click();
      },
      async (page, words) => {
        await page.getByRole('button', { name: words.figure }).click();
        await page.getByRole('menuitem').first().waitFor();
      },
    ],
  },
  'chemical potentials': {
    path: '/phase?q=Li+Fe+O&compound=LiFeO2',
    steps: [
      async (page) => {
        const section = page.locator('#potentials');
        await scrollToCentre(section.getByRole('row').last());
        await section.locator(CHART).first().waitFor();
      },
    ],
  },
  'a reaction refused': { path: '/Interface_reaction?a=TiO2&b=Ti2O4' },
  'a window that does not exist': { path: '/Ec_windowDetail/99999999/Li' },
  'a prediction': {
    path: '/predict?id=142',
    steps: [(page) => page.getByRole('heading', { name: 'TiO2' }).waitFor()],
  },
  'a prediction refused': { path: '/predict?id=99999999' },
  'the account settings': { path: '/account?tab=account' },
  'a comparison of nothing': { path: '/matdata/compare' },
  'the palette, then the menu of the apps': {
    path: '/matdata',
    steps: [
      async (page) => {
        await page.keyboard.press('Control+k');
        await page.locator('[role="combobox"]').waitFor();
      },
      async (page, words) => {
        await page.keyboard.press('Escape');
        await page.getByRole('banner').getByRole('button', { name: words.apps }).click();
      },
    ],
  },
  offline: {
    path: '/phase',
    steps: [
      async (page, words) => {
        await page.context().setOffline(true);
        await page.getByText(words.offline).first().waitFor();
      },
    ],
  },
  'the menu of a phone': {
    path: '/about',
    visitor: PHONE,
    steps: [
      async (page, words) => {
        await page.getByRole('button', { name: words.menu }).tap();
        await page.locator('#main-navigation').waitFor();
      },
    ],
  },
  'the login popup': {
    path: '/about',
    isPublic: true,
    steps: [
      async (page, words) => {
        await page.getByRole('banner').getByRole('button', { name: words.login }).click();
        await page.getByRole('dialog').waitFor();
      },
    ],
  },
};

/**
 * The language alternates from state to state. A state without steps is then also checked in the other language and in
 * dark colours, on the same page load.
 */
const CASES = Object.keys(STATES).map((name, index) => [name, index % 2 ? 'zh' : 'en'] as const);

it.each(CASES)('the state “%s” has no accessibility violations (%s)', async (name, language) => {
  const { path, steps, visitor, isPublic } = STATES[name]!;
  const { page } = await newVisitor(browser, {
    ...(isPublic ? {} : { token }),
    ...visitor,
    language,
    colorScheme: 'light',
  });
  await open(page, site.url + path);
  const found: string[] = [];
  for (const [index, step] of (steps ?? []).entries()) {
    await step(page, WORDS[language]);
    for (const line of await violationsInBoth(page)) found.push(`step ${index + 1}: ${line}`);
  }
  if (!steps) {
    found.push(...(await violations(page)));
    await switchTo(page, language === 'en' ? 'zh' : 'en');
    await showIn(page, 'dark');
    found.push(...(await violations(page)));
  }
  expect(found).toEqual([]);
});
