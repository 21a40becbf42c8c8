/**
 * The content security policy with everything drawn: every page is opened and looked at from top to bottom, its charts
 * and viewers are waited for, and nothing may have been refused. That the policy is enforced is shown beside it.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor, type Visitor } from './support/browser.ts';
import { open, settled, twoFrames } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { examplePages } from './support/site-pages.ts';
import { openStage } from './support/stage.ts';

const { site, browser } = await openStage({ isShared: true, leavesEach: true });
const token = await tokenFor(site, '13900000013');

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

const visits = [
  ...examplePages.map(({ url, needsLogin }) => ({ url, needsLogin })),
  ...Object.keys(DRAWINGS).map((url) => ({ url, needsLogin: true })),
].filter(({ url }, index, all) => all.findIndex((other) => other.url === url) === index);

/** Keeps what the policy refuses from the first moment of every document. */
async function watchPolicy({ page }: Visitor): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(globalThis, { refusedByPolicy: refused });
    document.addEventListener('securitypolicyviolation', (event) => {
      refused.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample} (${event.sourceFile})`);
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { refusedByPolicy: string[] }).refusedByPolicy);
}

/** Scrolls to the end, so that what is drawn only in sight is drawn. */
async function lookAtAll(page: Page): Promise<void> {
  const steps = await page.evaluate(() =>
    Math.ceil(document.documentElement.scrollHeight / window.innerHeight),
  );
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, 800);
    await twoFrames(page);
  }
  await settled(page);
}

describe('nothing is refused', () => {
  it.each(visits)('on $url', async ({ url, needsLogin }) => {
    const visitor = await newVisitor(browser, needsLogin ? { token } : {});
    const refused = await watchPolicy(visitor);
    const answer = await visitor.page.goto(site.url + url);
    expect(answer?.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'");
    await settled(visitor.page);
    await lookAtAll(visitor.page);
    for (const drawing of DRAWINGS[url] ?? [])
      await visitor.page.locator(drawing).first().waitFor({ state: 'attached' });
    // The browser's own word for a collection that nobody has, and for what only administrators see.
    const known = url.startsWith('/collections/')
      ? /status of 404/
      : url === '/operate'
        ? /status of 403/
        : /^$/;
    const complaints = visitor.complaints.filter((text) => !known.test(text));
    expect({ refused: await refused(), complaints }).toEqual({ refused: [], complaints: [] });
  });
});

describe('the policy is enforced', () => {
  it('text that would run, a foreign script, an inline script and a style element are refused', async () => {
    const visitor = await newVisitor(browser);
    const refused = await watchPolicy(visitor);
    await open(visitor.page, `${site.url}/about`);
    const outcome = await visitor.page.evaluate(async () => {
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
    await visitor.page.evaluate(() => {
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.head.append(style);
    });
    await expect.poll(() => visitor.page.locator('body').isVisible()).toBe(true);
    await expect.poll(async () => (await refused()).join('\n')).toContain('style-src-elem: inline');
  });
});
