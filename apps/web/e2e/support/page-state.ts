/** States of a page that sweeps go through without loading it again. */
import type { Locator, Page, Request } from 'playwright-core';

/** What a page waits for; `watchRequests` keeps it. */
const openRequests = new WeakMap<Page, Set<Request>>();

/** Follows what the page asks for from now on, so that `settled` knows when all has been answered. */
export function watchRequests(page: Page): void {
  const pending = new Set<Request>();
  openRequests.set(page, pending);
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  // A stream of events has no end; its beginning is the answer.
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream'))
      pending.delete(response.request());
  });
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return;
    for (const request of pending) if (request.isNavigationRequest()) pending.delete(request);
  });
}

/** Two frames of the page: what an answer makes it do, further requests too, has begun then. */
export const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );

/** What a page shows while it fetches, computes or draws: a place kept for it, a wheel that turns. */
const WAITING = ':is([aria-busy="true"], .mantine-Loader-root, .mantine-Skeleton-root[data-visible])';

/** ms after which a page that never rests, such as a turning crystal without a graphics card, is taken as it is. */
const RESTLESS_MS = 2000;

/**
 * Two frames and then a moment at which the page has nothing to do: React draws large answers in slices, between which a
 * frame passes but no such moment does.
 * @returns whether nothing is shown as waiting then
 */
const restOf = (page: Page): Promise<boolean> =>
  page.evaluate(
    ([waiting, restlessMs]) =>
      new Promise<boolean>((done) => {
        const look = (): void =>
          done(![...document.querySelectorAll(`main ${waiting}`)].some((shown) => shown.checkVisibility()));
        requestAnimationFrame(() =>
          requestAnimationFrame(() => requestIdleCallback(look, { timeout: restlessMs })),
        );
      }),
    [WAITING, RESTLESS_MS] as const,
  );

/** Waits until the page has its heading, every question of it is answered and drawn, and nothing is shown as still loading; as a visitor who does something. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  // A phone draws what is out of sight with the first thing its visitor does.
  await page.evaluate(() => void dispatchEvent(new Event('scroll')));
  const pending = openRequests.get(page);
  if (!pending) throw new Error('settled: this page is not watched');
  // Quiet three times in a row: scripts that are being read have not asked for theirs yet.
  for (let quiet = 0; quiet < 3; ) {
    const isAtRest = await restOf(page);
    quiet = isAtRest && pending.size === 0 ? quiet + 1 : 0;
  }
}

/** Opens an address and waits for all of it. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
}

/** Scrolls to an element, also to one that the page replaces meanwhile (Playwright's own way fails there). */
export const scrollToCentre = (target: Locator): Promise<void> =>
  target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));

const SWITCHES = { zh: '切换到中文', en: 'Switch to English' } as const;

/** The other language, by the switch of the navigation bar; the page has to be 800 px wide or more. */
export async function switchTo(page: Page, language: 'zh' | 'en'): Promise<void> {
  await page.getByRole('button', { name: SWITCHES[language] }).click();
  await page.locator(`html[lang="${language === 'zh' ? 'zh-CN' : 'en'}"]`).waitFor({ state: 'attached' });
  await settled(page);
}

/** Waits until colours have passed into one another and popups have unfolded; what turns for ever is not waited for. */
export async function transitionsOver(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
  await twoFrames(page);
}

/** The other appearance, as the operating system would ask for it; waits until the colours are those. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await transitionsOver(page);
}
