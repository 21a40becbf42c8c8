/**
 * What holds for every page: accessible by WCAG 2.2 AA, still while its answers arrive, no wider than the window, large enough to press,
 * nothing refused by the content security policy, no complaint on the console. Each page is loaded twice: on a desktop in Chinese and
 * light, on a phone in English and dark. Everything else is checked on the same load.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsInBoth } from './support/axe.ts';
import { newVisitor, type Visitor, type VisitorOptions } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { overflows, refusedByPolicy, shiftsOf, tooSmall, watchDocuments } from './support/page-checks.ts';
import { open, settled, twoFrames } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { examplePages } from './support/site-pages.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000011');

const PLOT = '.js-plotly-plot .nsewdrag';
const IN_SPACE = '.js-plotly-plot .gl-container canvas';
const VIEWER = 'main canvas';

/** What is drawn where, by address; one entry for each kind of drawing the site has. */
const DRAWINGS: Readonly<Record<string, readonly string[]>> = {
  '/matdatades/142': [VIEWER, `#bands-pbe ${PLOT}`, `#xrd ${PLOT}`, '#brillouin-zone svg'],
  '/matdatades/193': [VIEWER, '#elastic canvas', `#xrd ${PLOT}`],
  '/phase?q=Ti+O': [PLOT],
  '/phase?q=Li+Fe+O': [PLOT],
  '/phase?q=Li+Fe+P+O': [IN_SPACE],
  '/Ec_windowDetail/142/Li': [PLOT],
  '/Interface_reaction?a=TiO2&b=Mg&open=O&mu=-0.5': [PLOT],
  '/Tight_Binding': ['main [role="application"] svg', 'main svg path[d]'],
};
const drawnElsewhere = Object.keys(DRAWINGS).filter((url) => !examplePages.some((page) => page.url === url));

/** Opens an address; the site's answers are held back until the page shows what it can without them. */
async function openHeldBack(url: string, options: VisitorOptions): Promise<Visitor> {
  const visitor = await newVisitor(browser, options);
  const { page } = visitor;
  await watchDocuments(page);
  let letAnswersCome = (): void => {};
  const firstLook = new Promise<void>((done) => {
    letAnswersCome = done;
  });
  await page.route('**/api/**', async (route) => {
    await firstLook;
    await route.continue();
  });
  const answer = await page.goto(site.url + url);
  expect(answer?.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'");
  await page.locator('main').waitFor();
  await twoFrames(page);
  letAnswersCome();
  await settled(page);
  await twoFrames(page);
  return visitor;
}

/** Scrolls to the end, so that what is drawn only in sight is drawn, and waits for the drawings. */
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
}

/** What the console says by right: the browser's own word for a collection that does not exist, and for what only administrators see. */
function isExpected(complaint: string, url: string): boolean {
  if (url.startsWith('/collections/')) return complaint.includes('status of 404');
  return url === '/operate' && complaint.includes('status of 403');
}

async function refusals({ page, complaints }: Visitor, url: string): Promise<object> {
  return {
    refused: await refusedByPolicy(page),
    complaints: complaints.filter((complaint) => !isExpected(complaint, url)),
  };
}

const NO_REFUSALS = { refused: [], complaints: [] };
const NO_FAULTS = { shifts: [], small: [], axe: [], overflow: [], ...NO_REFUSALS };

const DESKTOP = { language: 'zh', viewport: { width: 1440, height: 900 }, colorScheme: 'light' } as const;
const PHONE = {
  language: 'en',
  viewport: { width: 360, height: 740 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
} as const;

describe.each([
  ['on a desktop in Chinese', DESKTOP],
  ['on a phone in English', PHONE],
] as const)('every page %s', (where, device) => {
  it.each(examplePages)(
    `the page $path has no accessibility violation, layout shift, overflow, small target or refused content ${where}`,
    async ({ url, needsLogin }) => {
      const visitor = await openHeldBack(url, { ...device, ...(needsLogin ? { token } : {}) });
      const { page } = visitor;
      const shifts = await shiftsOf(page);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const small: string[] = [];
      if (device === DESKTOP) await lookAtAll(page, url);
      else small.push(...(await tooSmall(page)));
      const axe = await violationsInBoth(page, device.colorScheme);
      const overflow = await overflows(page);
      if (device === PHONE) {
        // Sizes depend on the letters: they are measured in one language, at both widths.
        await page.setViewportSize(DESKTOP.viewport);
        await settled(page);
        small.push(...(await tooSmall(page)));
      }
      expect({ shifts, small, axe, overflow, ...(await refusals(visitor, url)) }).toEqual(NO_FAULTS);
    },
  );
});

describe('the content security policy', () => {
  it.each(drawnElsewhere)('lets the page %s draw everything', async (url) => {
    const visitor = await openHeldBack(url, { token });
    await lookAtAll(visitor.page, url);
    expect(await refusals(visitor, url)).toEqual(NO_REFUSALS);
  });

  it('refuses text that would run, a foreign script, an inline script and a style element', async () => {
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
      // What the debugger runs may evaluate text; what a timer runs is the page's own.
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
    await expect
      .poll(async () => (await refusedByPolicy(page)).join('\n'))
      .toContain('style-src-elem: inline');
  });
});
