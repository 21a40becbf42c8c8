/** Changes the state of a page for sweeps, without loading it again. */
import type { Locator, Page, Request } from 'playwright-core';

/** Pending requests of a page, tracked by `watchRequests`. */
const openRequests = new WeakMap<Page, Set<Request>>();

/** Tracks the requests of the page from now on, so that `settled` can wait for all answers. */
export function watchRequests(page: Page): void {
  const pending = new Set<Request>();
  openRequests.set(page, pending);
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  // A stream of events never ends, so its beginning counts as the answer.
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream'))
      pending.delete(response.request());
  });
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return;
    for (const request of pending) if (request.isNavigationRequest()) pending.delete(request);
  });
}

/** Two frames of the page: by then everything that an answer causes, including further requests, has started. */
export const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );

/** Elements that show that a page is fetching, computing or drawing: placeholders and spinners. */
const WAITING = ':is([aria-busy="true"], .mantine-Loader-root, .mantine-Skeleton-root[data-visible])';

/**
 * Time in ms after which a page that never becomes idle is checked anyway, such as a page with a turning
 * crystal and no graphics card.
 */
const RESTLESS_MS = 2000;

/**
 * Waits for two frames and then for an idle moment of the page: React draws large answers in slices, between which
 * there are frames but no idle moments.
 * @returns true if the page then shows no placeholder and no spinner
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

/** Scrolls like a visitor, and waits until the heading is shown, all requests are answered, and nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  // On a phone, what is out of view is drawn only after the visitor's first input.
  await page.evaluate(() => void dispatchEvent(new Event('scroll')));
  const pending = openRequests.get(page);
  if (!pending) throw new Error('settled: this page is not watched');
  // Idle three times in a row, because scripts that are being parsed have not sent their requests yet.
  for (let quiet = 0; quiet < 3; ) {
    const isAtRest = await restOf(page);
    quiet = isAtRest && pending.size === 0 ? quiet + 1 : 0;
  }
}

/** Opens an address and waits until the page is settled. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
}

/** Goes to another address of the site as a link does, without a load, and waits until the page is settled. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await settled(page);
}

/** Scrolls to an element, even if the page replaces it meanwhile (Playwright's own method fails then). */
export const scrollToCentre = (target: Locator): Promise<void> =>
  target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));

const SWITCHES = { zh: '切换到中文', en: 'Switch to English' } as const;

/** Changes the language with the switch of the navigation bar; the page must be at least 800 px wide. */
export async function switchTo(page: Page, language: 'zh' | 'en'): Promise<void> {
  await page.getByRole('button', { name: SWITCHES[language] }).click();
  await page.locator(`html[lang="${language === 'zh' ? 'zh-CN' : 'en'}"]`).waitFor({ state: 'attached' });
  await settled(page);
}

/** Waits until colours have changed and popups have unfolded; endless animations are ignored. */
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

/** Changes the appearance, as the operating system would; waits until the colours have changed. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await transitionsOver(page);
}
