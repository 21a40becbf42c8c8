/** Diagrams, windows and reactions that the server refuses: each page says why, in both languages. */
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { follow, open, switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';

const { site, browser } = await openSite({ keepsPages: true });
const token = await tokenFor(site, '13900000039');

/** Addresses of each kind that cannot be answered, with what the page says in English and in Chinese. */
const REFUSALS: readonly (readonly [path: string, en: RegExp, zh: RegExp])[] = [
  ['/phase?q=Ti', /two to four components, not 1\./, /二至四个组分，当前输入了 1 个/],
  ['/phase?q=Xx+O', /neither an element nor a formula/, /既不是元素也不是化学式/],
  ['/phase?q=Ti+Og', /no energies of Og/, /没有 Og/],
  ['/phase?q=Ti+O&scale=LDA', /no energy scale called LDA/, /没有名为 LDA 的能量基准/],
  ['/Interface_reaction?a=TiO2&b=Ti2O4', /does not react with itself/, /不会与自身反应/],
  ['/coatings?a=TiO2&b=TiO2', /A and B are both TiO2/, /A 和 B 都是 TiO2/],
  ['/Interface_reaction?a=TiO2&b=Mg&open=Qq', /Qq is not an element/, /Qq 不是元素/],
  ['/reaction?from=CaO&to=CaCO3,CO2', /only with CO2 on the other side/, /移到另一侧/],
  ['/reaction?from=Xx&to=CaO', /Xx cannot be read/, /无法将 Xx 识别/],
  ['/ellingham?el=Au', /no compound of this kind of Au/, /没有 Au 的这类化合物/],
  ['/ellingham?el=Fe&min=2000&max=1000', /highest temperature above the lowest/, /最高温度须高于最低温度/],
  ['/pourbaix?el=O', /one to three elements/, /一至三种/],
  ['/Ec_windowDetail/999999999/Li', /no material with the id 999999999/, /999999999/],
  ['/Ec_windowDetail/1/Fe', /Fe is not a working ion/, /Fe 不是工作离子/],
  ['/Ec_windowDetail/abc/Li', /the id of a material/, /请求/],
  ['/Ec_window?by=struct_id&q=abc', /abc is not a material id/, /abc 不是/],
  ['/Ec_window?q=O-*&scale=LDA', /no energy scale called LDA/, /没有名为 LDA 的能量基准/],
];

const { page } = await newVisitor(browser, { token });
await open(page, site.url);

describe('an address whose request is invalid', () => {
  it.each(REFUSALS)('%s shows an error in both languages and stops loading', async (path, en, zh) => {
    await follow(page, path);
    const isRefused = async (): Promise<'en' | 'zh'> => {
      const isEnglish = (await page.locator('html').getAttribute('lang')) === 'en';
      await page
        .getByRole('alert')
        .getByText(isEnglish ? en : zh)
        .first()
        .waitFor();
      await expect.poll(() => page.locator('main .mantine-Loader-root').count()).toBe(0);
      return isEnglish ? 'en' : 'zh';
    };
    // The browser keeps the language of the last test.
    const first = await isRefused();
    await switchTo(page, first === 'en' ? 'zh' : 'en');
    expect(await isRefused()).not.toBe(first);
  });
});
