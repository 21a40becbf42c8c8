/** Tests texts that the specification prescribes word by word: mailbox, dates, hints, choices. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { open, switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000051');

const WORDS = {
  en: {
    updated: 'Last updated: 1 February 2021',
    formula: '“Xx” is not an element symbol',
    advanced: /Advanced options/,
    ion: 'Work ion',
    included: 'Included elements',
    excluded: 'Excluded elements',
  },
  zh: {
    updated: '最近更新：2021年2月1日',
    formula: '“Xx”不是元素符号',
    advanced: /高级选项/,
    ion: '工作离子',
    included: '包含元素',
    excluded: '排除元素',
  },
} as const;
type Words = (typeof WORDS)['en' | 'zh'];

/** Shows a page in English and then, on the same load, in Chinese. */
async function inBothLanguages(
  path: string,
  check: (page: Page, words: Words) => Promise<void>,
): Promise<void> {
  const { page } = await newVisitor(browser, { token });
  await open(page, site.url + path);
  await check(page, WORDS.en);
  await switchTo(page, 'zh');
  await check(page, WORDS.zh);
}

describe('in both languages', () => {
  it('the API entry of the footer shows a mailbox on hover', () =>
    inBothLanguages('/about', async (page) => {
      const api = page.getByRole('contentinfo').getByRole('button', { name: 'API' });
      const bubble = page.getByRole('contentinfo').getByRole('tooltip', { includeHidden: true });
      const visibility = () => bubble.evaluate((element) => getComputedStyle(element).visibility);
      await expect.poll(visibility).toBe('hidden');
      await api.hover();
      await expect.poll(visibility).toBe('visible');
      await expect.poll(() => bubble.innerText()).toMatch(/\S+@\S+\.\S+/);
    }));

  it.each(['/protocal/user', '/protocal/private'])(
    'the page %s has a date and contains no placeholder',
    (path) =>
      inBothLanguages(path, async (page, words) => {
        await page.getByRole('main').getByText(words.updated).waitFor();
        expect(await page.getByRole('main').innerText()).not.toMatch(/\[(?:Operator|运营者)|\bTODO\b|\{\{/);
      }),
  );

  it('the search shows the error of a formula only once', () =>
    inBothLanguages('/matdata?by=formula', async (page, words) => {
      await page.getByRole('main').getByRole('textbox').first().fill('TiXx2');
      const problem = page.getByText(words.formula);
      await problem.first().waitFor();
      await expect.poll(() => problem.count()).toBe(1);
      await expect.poll(() => page.getByRole('main').innerText()).not.toMatch(/position 3: |is no element/);
    }));

  it('the window search offers seven working ions and accepts elements as free text', () =>
    inBothLanguages('/Ec_window?q=Ti-O', async (page, words) => {
      const advanced = page.getByRole('button', { name: words.advanced });
      if ((await advanced.getAttribute('aria-expanded')) !== 'true') await advanced.click();
      for (const name of [words.included, words.excluded]) {
        const box = page.getByRole('textbox', { name });
        await box.fill('F Cl');
        await expect.poll(() => box.inputValue()).toBe('F Cl');
      }
      const ions = page.getByRole('combobox', { name: words.ion }).getByRole('option');
      await expect.poll(() => ions.allTextContents()).toEqual(['Li', 'Na', 'K', 'Mg', 'Ca', 'Zn', 'Al']);
    }));

  it('the profile inputs have labels', () =>
    inBothLanguages('/account', async (page) => {
      const boxes = page.getByRole('main').getByRole('textbox');
      await boxes.first().waitFor();
      const hints = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('placeholder') ?? ''));
      expect(hints.length).toBeGreaterThanOrEqual(4);
      expect(hints.filter((hint) => hint === '')).toEqual([]);
    }));
});

it('search results scroll into view automatically', async () => {
  const { page } = await newVisitor(browser, { token, reducedMotion: 'no-preference' });
  await open(page, `${site.url}/Ec_window`);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole('main').getByRole('textbox').first().fill('Ti-O');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('main').getByRole('heading', { level: 2 }).first();
  await expect
    .poll(async () => {
      const box = await heading.boundingBox();
      return box !== null && box.y >= 0 && box.y < 500;
    })
    .toBe(true);
});
