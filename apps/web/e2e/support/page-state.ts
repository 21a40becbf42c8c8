/** States of a page that sweeps go through without loading it again. */
import type { Page } from 'playwright-core';

/** Pages that ask the server again and again are never quiet; they are settled when their first answers are there. */
const QUIET_MS = 3000;

/** Waits until the page has its heading, asks the server for nothing more and shows nothing as still loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined);
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'hidden', timeout: 20_000 });
}

/** Opens an address and waits for all of it. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
}

const SWITCHES = { zh: '切换到中文', en: 'Switch to English' } as const;

/** The other language, by the switch of the navigation bar; the page has to be 800 px wide or more. */
export async function switchTo(page: Page, language: 'zh' | 'en'): Promise<void> {
  await page.getByRole('button', { name: SWITCHES[language] }).click();
  await page.locator(`html[lang="${language === 'zh' ? 'zh-CN' : 'en'}"]`).waitFor({ state: 'attached' });
  await settled(page);
}

/** The other appearance, as the operating system would ask for it; waits until the colours are those. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await page.evaluate(
    () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))),
  );
}
