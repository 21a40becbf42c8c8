/** What a page shows first stays where it is when the answers come: nobody clicks beside what they aimed at. */
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { settled, twoFrames } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { examplePages } from './support/site-pages.ts';
import { openStage } from './support/stage.ts';

const { site, browser } = await openStage({ isShared: true });
const token = await tokenFor(site, '13900000047');

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
];

/** Less is no move: half a character of a line that is written anew. */
const NOTHING = 0.001;

/** A move as the browser's layout instability API tells it. */
interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

/** What moved by itself while the page filled, in words; every question to the site is answered only when its first look stands. */
async function movesOf(url: string, viewport: (typeof SCREENS)[number], signedIn: string | undefined) {
  const { page } = await newVisitor(browser, { viewport, ...(signedIn ? { token: signedIn } : {}) });
  let letAnswersCome = (): void => {};
  const firstLook = new Promise<void>((done) => {
    letAnswersCome = done;
  });
  await page.route('**/api/**', async (route) => {
    await firstLook;
    await route.continue();
  });
  await page.addInitScript(() => {
    const seen: Shift[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver((list) => void seen.push(...(list.getEntries() as Shift[]))).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
  await page.goto(site.url + url);
  await page.locator('main').waitFor();
  await twoFrames(page);
  letAnswersCome();
  await settled(page);
  await twoFrames(page);
  const moves = await page.evaluate(() =>
    (window as unknown as { readonly seen: readonly Shift[] }).seen
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({
        value,
        what: sources.map(({ node, previousRect: from, currentRect: to }) => {
          const place = ({ x, y, width, height }: DOMRect): string =>
            [x, y, width, height].map(Math.round).join(' ');
          return `${node?.nodeName} "${node?.textContent?.slice(0, 30)}" ${place(from)} → ${place(to)}`;
        }),
      })),
  );
  await page.context().close();
  const sum = moves.reduce((all, { value }) => all + value, 0);
  return sum < NOTHING ? [] : [`${viewport.width} px: ${sum}`, ...moves.flatMap(({ what }) => what)];
}

describe('nothing moves by itself', () => {
  it.each(examplePages)('$path', async ({ url, needsLogin }) => {
    const moves: string[] = [];
    for (const screen of SCREENS) moves.push(...(await movesOf(url, screen, needsLogin ? token : undefined)));
    expect(moves).toEqual([]);
  });
});
