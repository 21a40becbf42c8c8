/** The material page with every section, on gallium arsenide (193): bands, zone, X-rays, tensors, topology, citation; its drawings are in `material-drawings`. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { CHART, makeChartLive } from './support/charts.ts';
import { scrollToCentre } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000016');

const GALLIUM_ARSENIDE = '/matdatades/193';
const SECTIONS = [
  'structure',
  'details',
  'bands-pbe',
  'brillouin-zone',
  'xrd',
  'dielectric',
  'piezoelectric',
  'elastic',
  'topology',
  'related',
  'more',
  'cite',
  'notes',
];
const PHONE = { width: 360, height: 740 };

const drawn = (page: Page, section: string) => page.locator(`#${section} ${CHART}`).first();

describe('the page of a material with every section', () => {
  it('shows all sections, sends all requests at once and violates no content security policy', async () => {
    const { page, complaints } = await newVisitor(browser, { token });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(site.url + GALLIUM_ARSENIDE);
    for (const id of SECTIONS) await page.locator(`#${id}`).waitFor();
    // Charts are loaded when they come near the window, or at the visitor's first input.
    await scrollToCentre(page.locator('#bands-pbe'));
    await drawn(page, 'bands-pbe').waitFor();
    await drawn(page, 'xrd').waitFor();
    // The sections send their requests before they are drawn.
    await expect
      .poll(
        () => new Set(asked.filter((path) => path.startsWith('/api/matdata/get_') || path.includes('irvsp'))),
      )
      .toEqual(
        new Set([
          '/api/matdata/get_struct_detail/',
          '/api/matdata/get_brillouin_zone/',
          '/api/matdata/get_xrd_handle/',
          '/api/irvsp/fetch_irvsp/',
          '/api/matdata/get_phase_diagram/',
          '/api/matdata/get_related/',
        ]),
      );
    const elastic = page.locator('#elastic');
    await expect.poll(() => elastic.innerText()).toContain('75.4 GPa');
    await scrollToCentre(elastic);
    await makeChartLive(elastic);
    await elastic.locator('.js-plotly-plot canvas').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('requests the material while the code of the page is still loading', async () => {
    const { page } = await newVisitor(browser, { token });
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/material-page-*.js', async (route) => {
      await isReleased;
      await route.continue();
    });
    const [asked] = await Promise.all([
      page.waitForRequest('**/get_struct_detail/'),
      page.goto(`${site.url}/matdatades/142`, { waitUntil: 'commit' }),
    ]);
    expect(asked.postDataJSON()).toEqual({ struct_id: '142' });
    release();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('starts at the top when opened from a scrolled page, and omits sections without data', async () => {
    const { page } = await newVisitor(browser, { token });
    const scrolled = () => page.evaluate(() => scrollY);
    await page.goto(`${site.url}/matdatades/142`);
    await page.locator('#cite').waitFor();
    await page.evaluate(() => scrollTo(0, 1500));
    await page.goto(`${site.url}/matdatades/37`);
    await page.locator('#cite').waitFor();
    await expect.poll(scrolled).toBe(0);
    await page.locator('#topology').waitFor();
    for (const id of ['bands-pbe', 'dielectric', 'piezoelectric'])
      await expect.poll(() => page.locator(`#${id}`).count()).toBe(0);
  });

  it('draws the crystal no more often when atom labels are switched on than when bonds are', async () => {
    // Counts the drawings of the scene: each one begins by clearing the stage.
    const script = (): void => {
      const counter = window as unknown as { cleared: number };
      counter.cleared = 0;
      for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
        const { clear } = prototype;
        prototype.clear = function count(mask) {
          counter.cleared++;
          clear.call(this, mask);
        };
      }
    };
    const { page } = await newVisitor(browser, { token, script });
    await page.goto(`${site.url}/matdatades/142`);
    const drawings = async (button: string) => {
      const toggle = page.getByRole('button', { name: button, exact: true });
      await toggle.waitFor();
      return toggle.evaluate(async (element) => {
        const counter = window as unknown as { cleared: number };
        const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
        await nextFrame();
        const before = counter.cleared;
        (element as HTMLButtonElement).click();
        // Waits until the stage has been drawn, and then for five frames in a row without a drawing.
        for (let [quiet, last] = [0, before]; quiet < 5; last = counter.cleared) {
          await nextFrame();
          quiet = counter.cleared === last && last > before ? quiet + 1 : 0;
        }
        return counter.cleared - before;
      });
    };
    await page.locator('#structure canvas').first().waitFor();
    const bonds = await drawings('Bonds');
    expect(bonds).toBeGreaterThan(0);
    expect(await drawings('Labels')).toBeLessThanOrEqual(bonds);
  });

  it('confines an error to its section', async () => {
    const { page } = await newVisitor(browser, { token });
    await page.route('**/get_xrd_handle/', (route) =>
      route.fulfill({ status: 500, json: { error: 'true', error_id: 'e-1' } }),
    );
    await page.goto(site.url + GALLIUM_ARSENIDE);
    await page.locator('#xrd').getByRole('alert').getByText('e-1').waitFor();
    await scrollToCentre(page.locator('#bands-pbe'));
    await drawn(page, 'bands-pbe').waitFor();
    await expect.poll(() => page.locator(`#xrd ${CHART}`).count()).toBe(0);
  });

  it('opens at the section of a link, and fits a phone', async () => {
    const { page } = await newVisitor(browser, { token, viewport: PHONE, language: 'zh' });
    await page.goto(`${site.url}${GALLIUM_ARSENIDE}#elastic`);
    const heading = page.getByRole('heading', { name: '弹性' });
    await heading.waitFor();
    await expect.poll(async () => (await heading.boundingBox())!.y).toBeLessThan(PHONE.height);
    for (const id of SECTIONS) {
      const box = (await page.locator(`#${id}`).boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width);
    }
  });
});
