/**
 * Lighthouse on the home page, a material and every tool, as a phone on slow 4G with a quarter of this processor, or with
 * `--desktop` as a computer on a line of 10 Mbit/s with all of it:
 * `npm run bench -- web-vitals [--desktop] [--runs N] [path …]`, the paths of other pages or of some of these.
 *
 * One JSON line a page: scores of performance, accessibility and best practices, first and largest contentful paint,
 * total blocking time, speed index and layout shift; the run with the median performance, how fast the processor was found, and the
 * load of the machine: Lighthouse multiplies by four what it sees. What is red is named. Lighthouse (its own two profiles, simulated throttling) comes from the npm registry when this is run:
 * it is a tool for one benchmark and three times as large as everything else together, so it is no dependency.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { BROWSER_FLAGS } from '../../apps/web/e2e/support/browser.ts';
import { chromiumProgram } from '@unitcell/tools/chromium-program';
import { tokenFor } from '../../apps/web/e2e/support/sign-in.ts';
import { examplePages } from '../../apps/web/e2e/support/site-pages.ts';
import { navPages } from '../../apps/web/src/app/pages.ts';
import { freePort } from '@unitcell/tools/postgres';
import { startTestSite } from '@unitcell/tools/test-site';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const DEFAULT_RUNS = 5;

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const RUN_TIMEOUT_MS = 300_000;
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

interface Audit {
  readonly title: string;
  /** null: not applicable, or only information. */
  readonly score: number | null;
  readonly numericValue?: number;
}

interface Report {
  readonly categories: Readonly<
    Record<
      (typeof CATEGORIES)[number],
      { readonly score: number; readonly auditRefs: readonly { readonly id: string }[] }
    >
  >;
  readonly audits: Readonly<Record<string, Audit>>;
  readonly environment: { readonly benchmarkIndex: number };
}

const run = promisify(execFile);

/** One Lighthouse run in the browser that listens on `port`, with what that browser has stored. */
async function lighthouse(url: string, port: number, profile: readonly string[]): Promise<Report> {
  const { stdout } = await run(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      `--port=${port}`,
      '--output=json',
      '--quiet',
      '--disable-storage-reset',
      ...profile,
      `--only-categories=${CATEGORIES.join(',')}`,
    ],
    { timeout: RUN_TIMEOUT_MS, maxBuffer: MAX_REPORT_BYTES },
  );
  return JSON.parse(stdout) as Report;
}

const scoreOf = ({ categories }: Report, name: (typeof CATEGORIES)[number]): number =>
  Math.round(categories[name].score * 100);

function figures(report: Report): object {
  const value = (id: string): number => report.audits[id]?.numericValue ?? Number.NaN;
  const red = (['accessibility', 'best-practices'] as const).flatMap((name) =>
    report.categories[name].auditRefs.flatMap(({ id }) => {
      const score = report.audits[id]?.score ?? 1;
      return score < 1 ? [id] : [];
    }),
  );
  return {
    performance: scoreOf(report, 'performance'),
    accessibility: scoreOf(report, 'accessibility'),
    bestPractices: scoreOf(report, 'best-practices'),
    firstPaintMs: Math.round(value('first-contentful-paint')),
    largestPaintMs: Math.round(value('largest-contentful-paint')),
    blockingMs: Math.round(value('total-blocking-time')),
    speedIndexMs: Math.round(value('speed-index')),
    layoutShift: Number(value('cumulative-layout-shift').toFixed(4)),
    // How fast Lighthouse found this processor: a desktop of its authors has 1,500 to 2,000, a phone of the middle class 125 to 800.
    benchmarkIndex: Math.round(report.environment.benchmarkIndex),
    red,
  };
}

const words = process.argv.slice(2);
const desktopAt = words.indexOf('--desktop');
const preset = desktopAt >= 0 ? words.splice(desktopAt, 1).map(() => '--preset=desktop') : [];
const runsAt = words.indexOf('--runs');
const runs = runsAt >= 0 ? Number(words.splice(runsAt, 2)[1]) : DEFAULT_RUNS;
const paths =
  words.length > 0 ? words : ['/', '/matdatades/:id', ...navPages('apps').map(({ path }) => path)];
const wanted = paths.map(
  (path) => examplePages.find((page) => page.path === path) ?? { url: path, needsLogin: true },
);

const site = await startTestSite();
const profile = mkdtempSync(join(tmpdir(), 'unitcell-lighthouse-'));
const port = await freePort();
const browser = await chromium.launchPersistentContext(profile, {
  ...chromiumProgram(),
  args: [...BROWSER_FLAGS, `--remote-debugging-port=${port}`],
});
try {
  const token = await tokenFor(site);
  for (const { url: path, needsLogin } of wanted) {
    const ticket = needsLogin ? token : null;
    const page = await browser.newPage();
    await page.goto(`${site.url}/robots.txt`);
    await page.evaluate((stored) => {
      if (stored === null) localStorage.removeItem('userToken');
      else localStorage.setItem('userToken', stored);
      localStorage.setItem('languageSet', 'en');
    }, ticket);
    await page.close();
    const reports: Report[] = [];
    for (let count = 0; count < runs; count++) reports.push(await lighthouse(site.url + path, port, preset));
    const sorted = reports.toSorted((a, b) => scoreOf(a, 'performance') - scoreOf(b, 'performance'));
    const median = sorted[Math.floor(runs / 2)];
    const performances = sorted.map((report) => scoreOf(report, 'performance'));
    if (median)
      console.log(
        JSON.stringify({
          case: `${[LIGHTHOUSE, ...preset].join(' ')} ${path}`,
          ...figures(median),
          performanceOfRuns: performances,
          load: Number(loadavg()[0]?.toFixed(1)),
        }),
      );
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  await site.stop();
}
