/** Pages with missing, wrong, expanded or pending content are accessible: WCAG 2.2 AA by axe. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { violations, violationsInBoth } from './support/axe.ts';
import { newVisitor, type VisitorOptions } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { follow, open, scrollToCentre, showIn, switchTo } from './support/page-state.ts';
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
  readonly steps: readonly Step[];
  readonly visitor?: VisitorOptions;
  /** True if the actions open a part of the navigation bar. */
  readonly hasFrame?: boolean;
  /** The visitor is not signed in. */
  readonly isPublic?: boolean;
}

const PHONE = { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true };

/** Addresses whose pages have missing or wrong content. */
const WITHOUT_STEPS = [
  '/matdata?q=Rn-Og',
  '/matdata?by=struct_id&q=abc',
  '/matdatades/99999999',
  '/matdatades/abc',
  '/phase?q=Ti+Og',
  '/Interface_reaction?a=TiO2&b=Ti2O4',
  '/Ec_windowDetail/99999999/Li',
  '/predict?id=99999999',
  '/account?tab=account',
  '/matdata/compare',
];

const STATES: Readonly<Record<string, State>> = {
  'the columns to choose from': {
    path: '/matdata?q=O-*',
    steps: [(page, words) => page.getByRole('button', { name: words.columns }).click()],
  },
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
  'a prediction': {
    path: '/predict?id=142',
    steps: [(page) => page.getByRole('heading', { name: 'TiO2' }).waitFor()],
  },
  'the palette, then the menu of the apps': {
    hasFrame: true,
    path: '/about',
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
    hasFrame: true,
    path: '/phase',
    steps: [
      async (page, words) => {
        await page.context().setOffline(true);
        await page.getByText(words.offline).first().waitFor();
      },
    ],
  },
  'the menu of a phone': {
    hasFrame: true,
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
    hasFrame: true,
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

/** The language alternates from state to state. */
const CASES = Object.keys(STATES).map((name, index) => [name, index % 2 ? 'zh' : 'en'] as const);

it.each(CASES)('the state “%s” has no accessibility violations (%s)', async (name, language) => {
  const { path, steps, visitor, hasFrame = false, isPublic } = STATES[name]!;
  const { page } = await newVisitor(browser, {
    ...(isPublic ? {} : { token }),
    ...visitor,
    language,
    colorScheme: 'light',
  });
  await open(page, site.url + path);
  const found: string[] = [];
  for (const [index, step] of steps.entries()) {
    await step(page, WORDS[language]);
    for (const line of await violationsInBoth(page, { hasFrame })) found.push(`step ${index + 1}: ${line}`);
  }
  expect(found).toEqual([]);
});

it('pages with missing or wrong content have no accessibility violations, in both languages and appearances', async () => {
  const { page } = await newVisitor(browser, { token });
  await open(page, site.url);
  const found: string[] = [];
  let language: 'en' | 'zh' = 'en';
  for (const path of WITHOUT_STEPS) {
    await follow(page, path);
    for (const line of await violations(page)) found.push(`${path} in ${language}: ${line}`);
    language = language === 'en' ? 'zh' : 'en';
    await switchTo(page, language);
    await showIn(page, language === 'en' ? 'light' : 'dark');
    for (const line of await violations(page)) found.push(`${path} in ${language}: ${line}`);
  }
  expect(found).toEqual([]);
});
