/**
 * Loads a page for the sweep over all pages, first without and then with the answers of the server, and collects
 * refusals by the content security policy.
 */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { newVisitor, type Visitor, type VisitorOptions } from './browser.ts';
import type { OpenSite } from './open-site.ts';
import { refusedByPolicy, watchDocuments } from './page-checks.ts';
import { settled, twoFrames } from './page-state.ts';

/** Opens an address, and holds back the server's answers until the page shows all that it can without them. */
export async function openCollapsedParts(
  { site, browser }: OpenSite,
  url: string,
  options: VisitorOptions,
): Promise<Visitor> {
  // With motion enabled, the layout must not shift either.
  const visitor = await newVisitor(browser, { reducedMotion: 'no-preference', ...options });
  const { page } = visitor;
  await watchDocuments(page);
  let letAnswersCome = (): void => {};
  const firstLook = new Promise<void>((done) => {
    letAnswersCome = done;
  });
  // page.route would also pause every other request, which costs a quarter of a sweep's time.
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) => {
    // A page that is closed meanwhile has no request to continue.
    void firstLook.then(() => session.send('Fetch.continueRequest', { requestId })).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
  const answer = await page.goto(site.url + url);
  expect(answer?.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'");
  await page.locator('main').waitFor();
  await twoFrames(page);
  letAnswersCome();
  await settled(page);
  await session.detach();
  await twoFrames(page);
  return visitor;
}

/** Expected console messages: a missing collection (404), and data that only administrators may read (403). */
function isExpected(complaint: string, url: string): boolean {
  if (url.startsWith('/collections/')) return complaint.includes('status of 404');
  return url === '/operate' && complaint.includes('status of 403');
}

/** Refusals of the content security policy, and errors of the page. */
export async function refusals({ page, complaints }: Visitor, url: string): Promise<object> {
  return {
    refused: await refusedByPolicy(page),
    complaints: complaints.filter((complaint) => !isExpected(complaint, url)),
  };
}

/** The minimum number of charts whose numbers can be read as a table, by address. */
export const CHARTS: Readonly<Record<string, number>> = {
  '/matdatades/142': 2,
  '/matdata/compare?ids=142,134': 1,
  '/Ec_windowDetail/142/Li': 1,
  '/Interface_reaction?a=TiO2&b=Mg&open=O&mu=-0.5': 1,
  '/phase?q=Ti+O': 1,
  '/reaction?from=TiO2,Mg&to=Ti,MgO&T=1000': 1,
  '/ellingham': 1,
  '/pourbaix?el=Ti': 1,
  '/stability?q=Ti+O': 4,
  '/xrd?sample': 1,
};

/**
 * Pages on which the bar and the footer are checked too: for a visitor, for a member, with a marked group.
 */
const FRAME_PAGES: readonly string[] = ['/', '/collections', '/about'];
export const hasFrame = (url: string): boolean =>
  process.env.NIGHTLY !== undefined || FRAME_PAGES.includes(url);

const guides = new Map<string, Promise<string>>();
const guideAt = async (url: string): Promise<string> => (await fetch(url)).text();

/** Links to the documentation that lead to no section in the language of the page. A tool must have such a link. */
export async function deadGuideLinks(page: Page, isTool: boolean): Promise<string[]> {
  const lang = await page.locator('html').getAttribute('lang');
  const links = await page
    .locator('main a[href^="/docs/"]')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  if (isTool && links.length === 0) return ['no link to the guide'];
  const isDead = async (link: string): Promise<boolean> => {
    const { origin, pathname, hash } = new URL(link);
    const url = origin + pathname;
    if (!guides.has(url)) guides.set(url, guideAt(url));
    const html = (await guides.get(url)) ?? '';
    return !html.includes(`<html lang="${lang}"`) || !html.includes(hash && `id="${hash.slice(1)}"`);
  };
  const dead = await Promise.all(links.map(isDead));
  return links.filter((_, i) => dead[i]);
}

/** The result for a page without faults. */
export const NO_FAULTS = {
  shifts: [],
  small: [],
  axe: [],
  overflow: [],
  guides: [],
  refused: [],
  complaints: [],
};
