/** Checks for every page: nothing shifts, sticks out, is too small to press or is refused by the policy. */
import type { Page } from 'playwright-core';

/** An entry of the browser's layout instability API. */
interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

interface Watched {
  readonly shifts: readonly Shift[];
  readonly refused: readonly string[];
}

const watched = new WeakSet<Page>();

/** Collects layout shifts and refusals of the content security policy, from the first moment of every document. */
export async function watchDocuments(page: Page): Promise<void> {
  if (watched.has(page)) return;
  watched.add(page);
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    const refused: string[] = [];
    Object.assign(window, { shifts, refused });
    new PerformanceObserver((list) => void shifts.push(...(list.getEntries() as Shift[]))).observe({
      type: 'layout-shift',
      buffered: true,
    });
    document.addEventListener('securitypolicyviolation', (event) => {
      refused.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample} (${event.sourceFile})`);
    });
  });
}

export const refusedByPolicy = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as Watched).refused);

/** Smaller shifts do not count, such as half a character of a line whose text changes. */
const NO_SHIFT = 0.001;

/** Layout shifts without the visitor's input; empty if there are none. */
export async function shiftsOf(page: Page): Promise<string[]> {
  const shifts = await page.evaluate(() =>
    (window as unknown as Watched).shifts
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({
        value,
        places: sources.map(({ node, previousRect: from, currentRect: to }) => {
          const place = ({ x, y, width, height }: DOMRect): string =>
            [x, y, width, height].map(Math.round).join(' ');
          return `${node?.nodeName} "${node?.textContent?.slice(0, 30)}" ${place(from)} → ${place(to)}`;
        }),
      })),
  );
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  return sum < NO_SHIFT ? [] : [`layout shift ${sum}`, ...shifts.flatMap(({ places }) => places)];
}

/** Elements that stick out of the page to the right, as a sentence; empty if there are none. */
export const overflowOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return '';
    const widest = Array.from(document.body.querySelectorAll('*'))
      .map((element) => ({ element, right: element.getBoundingClientRect().right + window.scrollX }))
      .filter(({ right }) => right > root.clientWidth + 0.5)
      .slice(-3)
      .map(
        ({ element, right }) =>
          `${element.tagName.toLowerCase()}.${element.getAttribute('class')} to ${right}`,
      );
    return `${root.scrollWidth} of ${root.clientWidth} px: ${widest.join(', ')}`;
  });

/** Waits until no size on the page has changed for five frames: plots and viewers adapt to the window with a delay. */
const hasItsSize = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const sizes = () =>
      [document.documentElement, ...document.querySelectorAll('main, main svg, main canvas, main table')]
        .map(({ scrollWidth, clientWidth, clientHeight }) => `${scrollWidth} ${clientWidth} ${clientHeight}`)
        .join();
    let before = '';
    for (let still = 0; still < 5; ) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const now = sizes();
      still = now === before ? still + 1 : 0;
      before = now;
    }
  });

/** Elements that stick out of the loaded page at these widths, px. */
export async function overflows(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    const { height } = page.viewportSize()!;
    await page.setViewportSize({ width, height });
    await hasItsSize(page);
    const sentence = await overflowOf(page);
    if (sentence !== '') found.push(`at ${width}: ${sentence}`);
  }
  return found;
}

/**
 * WCAG 2.2, 2.5.8: a target has at least 24 × 24 px, or no other target within the 24 px around its centre; links
 * inside sentences are exempt.
 * @returns the targets that are too small, each with its size
 */
export const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const LEAST = 24;
    const isInSentence = (element: Element): boolean =>
      element.matches('a') &&
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node !== element && (node.textContent ?? '').trim() !== '',
      );
    const targets = [
      ...document.querySelectorAll(
        'a[href], button, select, summary, input:not([type="hidden"], [type="file"]), textarea, [role="slider"], [role="tab"], [role="switch"]',
      ),
    ]
      // A checkbox inside a label can also be pressed on the label.
      .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
      .filter(
        ({ element, box }) =>
          box.width > 1 && box.height > 1 && element.checkVisibility({ visibilityProperty: true }),
      );
    const centre = ({ x, y, width, height }: DOMRect) => ({ x: x + width / 2, y: y + height / 2 });
    const isAlone = (own: (typeof targets)[number]): boolean => {
      const at = centre(own.box);
      return targets.every(({ element, box }) => {
        if (element === own.element || element.contains(own.element) || own.element.contains(element))
          return true;
        const dx = Math.max(box.left - at.x, 0, at.x - box.right);
        const dy = Math.max(box.top - at.y, 0, at.y - box.bottom);
        return Math.hypot(dx, dy) >= LEAST / 2;
      });
    };
    return targets
      .filter(({ box }) => Math.round(box.width) < LEAST || Math.round(box.height) < LEAST)
      .filter(({ element }) => !isInSentence(element))
      .filter((target) => !isAlone(target))
      .map(
        ({ element, box }) =>
          `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${(element.getAttribute('aria-label') ?? element.textContent).slice(0, 30)}” ${Math.round(box.width)} × ${Math.round(box.height)}`,
      );
  });
