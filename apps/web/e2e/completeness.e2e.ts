/** Completeness is stated in both languages: in the seed data, Na-Fe-P-O lacks Na3FeP8O23 and Li-C-O lacks nothing. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite({ keepsPages: true });
const token = await tokenFor(site, '13900000062');

const LANGUAGES = [
  {
    language: 'en',
    incomplete: /Incomplete, missing: Na3FeP8O23; the oxidation onset is an upper bound/,
    means: 'A missing compound can only narrow the window',
    trust: 'Trust',
    complete: 'All known stable C-Li-O phases are included',
    diagram: /missing: Na3FeP8O23; energies above the hull are lower bounds/,
    reaction: /missing: Na3FeP8O23; the reaction releases at least this much energy/,
    rows: /results? (is in an|are in) incomplete systems?/,
    windows: /windows? (is in an|are in) incomplete systems?/,
  },
  {
    language: 'zh',
    incomplete: /不完备，缺少：Na3FeP8O23；氧化起始电位是上限/,
    means: '缺少的化合物只会使窗口变窄',
    trust: '可信度',
    complete: '已收录 C-Li-O 体系全部已知稳定相',
    diagram: /缺少：Na3FeP8O23；高于凸包的能量是下限/,
    reaction: /缺少：Na3FeP8O23；反应至少释放这么多能量/,
    rows: /行所在体系不完备/,
    windows: /个窗口所在体系不完备/,
  },
] as const;

describe.each(oneUnlessNightly(LANGUAGES))('in $language,', ({ language, ...texts }) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await newVisitor(browser, { token, language }));
  });
  const open = (path: string) => page.goto(`${site.url}${path}`);
  const note = (status: string) => page.locator(`details[data-status="${status}"]`).first();

  it('rows of a search and of the filter show ≥ before a lower bound of the energy above the hull', async () => {
    for (const path of [
      '/matdata?q=Na-Fe-P-O',
      `/matdata?filter=${encodeURIComponent('chemical_system = "Fe-Na-O-P"')}`,
    ]) {
      await open(path);
      await page.getByText(texts.rows).waitFor();
      await expect.poll(() => page.locator('abbr[title*="Na₃FeP₈O₂₃"]').first().innerText()).toContain('≥');
    }
    await open('/matdata?q=C-O');
    await page.getByRole('row').nth(1).waitFor();
    await expect.poll(() => page.getByText(texts.rows).count()).toBe(0);
  });

  it('a window lists its missing compounds, their effect and what to import', async () => {
    await open('/Ec_windowDetail/390/Na');
    await note('incomplete').waitFor();
    await expect.poll(() => note('incomplete').locator('summary').innerText()).toMatch(texts.incomplete);
    await note('incomplete').locator('summary').click();
    await page.getByText(texts.means).waitFor();
    await page.getByText('unitcell completeness Fe-Na-O-P').waitFor();
    await open('/Ec_windowDetail/403/Li');
    await page.getByText(texts.complete).waitFor();
  });

  it('the diagram, the reaction, the window list and the material state whether they are complete', async () => {
    await open('/phase?q=Na+Fe+P+O');
    await expect.poll(() => note('incomplete').locator('summary').innerText()).toMatch(texts.diagram);
    await open('/Interface_reaction?a=NaFePO4&b=Na');
    await expect.poll(() => note('incomplete').locator('summary').innerText()).toMatch(texts.reaction);
    await open('/Ec_window?by=formula&q=NaFePO4&ion=Na');
    await page.getByText(texts.windows).waitFor();
    await page.getByRole('cell', { name: /≤ 2\.626/ }).waitFor();
    await open('/matdatades/390');
    await note('incomplete').waitFor();
    await open('/matdatades/403');
    await page.getByText(texts.trust, { exact: true }).click();
    await note('complete').waitFor();
  });
});
