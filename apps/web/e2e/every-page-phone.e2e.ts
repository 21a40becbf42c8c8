/**
 * Checks of every page on a phone, in English and dark. A page must be accessible by WCAG 2.2 AA, must not
 * shift while answers arrive, must not be wider than the window (also on a tablet), must have targets large
 * enough to press, must not break the content security policy, must write nothing on the console, and must
 * link to existing sections of the guide. Each page is loaded once.
 */
import { expect, it } from 'vitest';
import { ALL_BUT_SIZES, violations } from './support/axe.ts';
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
import { tokenFor } from './support/sign-in.ts';
import { examplePages } from './support/site-pages.ts';

const opened = await openSite();
const token = await tokenFor(opened.site, '13900000013');

/** Outside nightly runs most pages with charts are checked only on a desktop. */
const MOST_USED: readonly string[] = ['/matdatades/142', '/phase?q=Ti+O'];
const swept = examplePages.filter(
  ({ url }) => process.env.NIGHTLY !== undefined || !(url in CHARTS) || MOST_USED.includes(url),
);

it.each(swept)(
  'the page $path has no accessibility violation, layout shift, overflow, small target or refused content on a phone in English',
  async ({ url, needsLogin, isTool }) => {
    const visitor = await openCollapsedParts(opened, url, {
      language: 'en',
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      hasTouch: true,
      isMobile: true,
      ...(needsLogin ? { token } : {}),
    });
    const { page } = visitor;
    const shifts = await shiftsOf(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const small = await tooSmall(page);
    const axe = await violations(page, { rules: ALL_BUT_SIZES, hasFrame: hasFrame(url) });
    const overflow = await overflows(page, [360, 768]);
    const guides = await deadGuideLinks(page, isTool);
    expect({ shifts, small, axe, overflow, guides, ...(await refusals(visitor, url)) }).toEqual(NO_FAULTS);
  },
);
