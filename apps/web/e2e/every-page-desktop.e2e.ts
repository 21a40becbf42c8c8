/**
 * Checks of every page on a desktop, in Chinese. A page must be accessible by WCAG 2.2 AA (in nightly runs in
 * both appearances), must not shift while answers arrive, must not be wider than the window, must have
 * targets large enough to press, must not break the content security policy, must write nothing on the
 * console, must link to existing sections of the guide, and must have readable numbers for its charts. Each
 * page is loaded once.
 *
 * `every-page-phone` does the same on a phone, in English and dark. In nightly runs each page is checked in
 * both ways, otherwise in one of them.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ALL_BUT_SIZES, violations, violationsInBoth } from './support/axe.ts';
import { CHART } from './support/charts.ts';
import { openSite } from './support/open-site.ts';
import { overflows, shiftsOf, tooSmall } from './support/page-checks.ts';
import {
  CHARTS,
  deadGuideLinks,
  hasFrame,
  NO_FAULTS,
  openCollapsedParts,
  refusals,
} from './support/page-sweep.ts';
import { settled, twoFrames } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { examplePages } from './support/site-pages.ts';

const opened = await openSite();
const token = await tokenFor(opened.site, '13900000011');

const PLOT = CHART;
const VIEWER = 'main canvas';

/** Drawings by address; one entry for each kind of drawing on these pages. */
const DRAWINGS: Readonly<Record<string, readonly string[]>> = {
  '/matdatades/142': [VIEWER, `#bands-pbe ${PLOT}`, `#xrd ${PLOT}`, '#brillouin-zone svg'],
  '/phase?q=Ti+O': [PLOT],
  '/Ec_windowDetail/142/Li': [PLOT],
  '/Interface_reaction?a=TiO2&b=Mg&open=O&mu=-0.5': [PLOT],
  '/reaction?from=TiO2,Mg&to=Ti,MgO&T=1000': [PLOT],
  '/ellingham': [PLOT],
  '/pourbaix?el=Ti': [PLOT],
  '/stability?q=Ti+O': [`#hull ${PLOT}`, `#water ${PLOT}`, `#temperature ${PLOT}`, `#voltage ${PLOT}`],
  '/Tight_Binding': ['main [role="application"] svg', 'main svg path[d]'],
};

/**
 * Scrolls to the end, so that parts drawn only in view are drawn, waits for them, and returns to the top. Elsewhere a
 * sticky table header could cover a row, which would then count as too small to press.
 */
async function lookAtAll(page: Page, url: string): Promise<void> {
  const steps = await page.evaluate(() =>
    Math.ceil(document.documentElement.scrollHeight / window.innerHeight),
  );
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, 800);
    await twoFrames(page);
  }
  await settled(page);
  for (const drawing of DRAWINGS[url] ?? [])
    await page.locator(drawing).first().waitFor({ state: 'attached' });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}

/** Opens the numbers of the first chart by the keyboard and reads them. */
async function readChart(page: Page, least: number): Promise<void> {
  const buttons = page.getByRole('button', { name: '本图数据的表格' });
  await expect.poll(() => buttons.count()).toBeGreaterThanOrEqual(least);
  await buttons.first().focus();
  await page.keyboard.press('Enter');
  const rows = page
    .getByRole('table', { name: /^图中数据/ })
    .first()
    .locator('tbody tr');
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  await expect.poll(() => buttons.first().getAttribute('aria-pressed')).toBe('true');
}

/** Outside nightly runs the other pages are checked only on a phone. */
const swept = examplePages.filter(({ url }) => url in CHARTS || url in DRAWINGS || hasFrame(url));

it.each(swept)(
  'the page $path has no accessibility violation, layout shift, overflow, small target, refused content or chart without numbers on a desktop in Chinese',
  async ({ url, needsLogin, isTool }) => {
    const visitor = await openCollapsedParts(opened, url, {
      language: 'zh',
      colorScheme: 'light',
      ...(needsLogin ? { token } : {}),
    });
    const { page } = visitor;
    const shifts = await shiftsOf(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await lookAtAll(page, url);
    const small = await tooSmall(page);
    const check = process.env.NIGHTLY ? violationsInBoth : violations;
    const axe = await check(page, { rules: ALL_BUT_SIZES, hasFrame: hasFrame(url) });
    const charts = CHARTS[url];
    if (charts !== undefined) await readChart(page, charts);
    const overflow = await overflows(page, [1440, 2560]);
    const guides = await deadGuideLinks(page, isTool);
    expect({ shifts, small, axe, overflow, guides, ...(await refusals(visitor, url)) }).toEqual(NO_FAULTS);
  },
);
