/** WCAG 2.2, 2.5.8 on every page: what is pressed is 24 px each way, or stands alone in its 24 px; links inside sentences are excepted. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { open, settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { examplePages } from './support/site-pages.ts';
import { openStage } from './support/stage.ts';

const { site, browser } = await openStage({ isShared: true });
const token = await tokenFor(site, '13900000031');

/** What is too small, each with its size. */
const tooSmall = (page: Page): Promise<string[]> =>
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
      // A box inside its label is pressed by the label.
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

describe('everything that is pressed is large enough', () => {
  it.each(examplePages)('$path', async ({ url, needsLogin }) => {
    const { page } = await newVisitor(browser, {
      language: 'en',
      viewport: { width: 360, height: 760 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
      ...(needsLogin ? { token } : {}),
    });
    await open(page, site.url + url);
    const phone = await tooSmall(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await settled(page);
    expect({ phone, desk: await tooSmall(page) }).toEqual({ phone: [], desk: [] });
    await page.context().close();
  });
});
