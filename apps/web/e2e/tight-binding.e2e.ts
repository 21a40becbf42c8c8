/** The tight-binding playground: choose a lattice, move a slider, show a state, save a file, return by the link. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000077');

const WORDS = {
  en: {
    choose: /Choose a lattice/,
    t2: 't2 ratio',
    same: /Verified on the server/,
    generate: 'Generate',
    show: 'Show',
    localised: /compact localised state, E = 2\.000/,
    export: 'Export',
    csv: 'Bands (CSV)',
    noLattice: /There is no lattice “nope”: kgm is shown/,
    defaults: /unsupported values \(t2, onsite\)/,
  },
  zh: {
    choose: /选择晶格/,
    t2: 't2 比值',
    same: /服务器得到相同的能带/,
    generate: '生成',
    show: '显示',
    localised: /紧致局域态，E = 2\.000/,
    export: '导出',
    csv: '能带 (CSV)',
    noLattice: /没有名为“nope”的晶格，改为显示 kgm/,
    defaults: /不支持的值（t2, onsite）/,
  },
} as const;

const bandCount = (page: Page) => page.locator('path[data-bands]').first().getAttribute('data-bands');

describe.each(oneUnlessNightly(['en', 'zh']))('the tight-binding page in %s', (language) => {
  const words = WORDS[language];

  it('recomputes kagome while t2 moves, agrees with the server and exports the bands', async () => {
    const { page, complaints } = await newVisitor(browser, { language, token });
    await page.goto(`${site.url}/Tight_Binding`);
    await page.getByText(words.same).waitFor();
    await expect.poll(() => bandCount(page)).toBe('3');

    const t2 = page.getByRole('slider', { name: words.t2 });
    await expect.poll(() => t2.getAttribute('aria-valuenow')).toBe('-1');
    await t2.focus();
    for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => t2.getAttribute('aria-valuenow')).toBe('0');
    await page.waitForURL(/t2=0/);
    await page.getByRole('button', { name: words.show, exact: true }).click();
    await page.getByText(words.localised).waitFor();
    await page.getByRole('button', { name: words.generate }).click();
    await page.getByText(words.same).waitFor();

    await page.getByRole('button', { name: words.export }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: words.csv }).click();
    const lines = (await readFile(await (await download).path(), 'utf8'))
      .replace('\u{feff}', '')
      .split(/\r?\n/);
    // Comment lines with the origin of the data precede the table.
    const [head, first] = lines.filter((line) => !line.startsWith('#'));
    expect(lines[0]).toMatch(/^# /);
    expect(head).toMatch(/k_dist,k1,k2,label,band 1,band 2,band 3$/);
    // Energies of the kagome lattice at Γ for t1 = −1: −4, 2, 2.
    const energies = first!.split(',').slice(4).map(Number);
    expect(energies.map((energy) => Math.round(energy * 1e9) / 1e9)).toEqual([-4, 2, 2]);
    expect(complaints).toEqual([]);
  });

  it('names the invalid parts of a link', async () => {
    const { page } = await newVisitor(browser, { language, token });
    await page.goto(`${site.url}/Tight_Binding?grid=lieb&t2=NaN&onsite=1,2,3`);
    await page.getByText(words.defaults).waitFor();
    await expect.poll(() => bandCount(page)).toBe('3');
    await page.goto(`${site.url}/Tight_Binding?grid=nope`);
    await page.getByText(words.noLattice).waitFor();
  });
});

describe('a slider held with the mouse', () => {
  it('keeps its position after a pause in which the address was updated, and Generate sends the visible values', async () => {
    const { page } = await newVisitor(browser, { token });
    await page.goto(`${site.url}/Tight_Binding`);
    await page.getByText(WORDS.en.same).waitFor();
    const t2 = page.getByRole('slider', { name: WORDS.en.t2 });
    await settled(page);
    const thumb = (await t2.boundingBox())!;
    const [x, y] = [thumb.x + thumb.width / 2, thumb.y + thumb.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y, { steps: 3 });
    await page.waitForURL(/t2=-0/);
    const atRest = Number(await t2.getAttribute('aria-valuenow'));
    await page.mouse.move(x + 120, y, { steps: 6 });
    await page.mouse.up();
    const sent = page.waitForRequest(/get_band_data/);
    await page.getByRole('button', { name: WORDS.en.generate }).click();
    const body = (await sent).postDataJSON();
    const seen = Number(await t2.getAttribute('aria-valuenow'));
    expect(seen).toBeGreaterThan(atRest);
    expect(body).toMatchObject({ t2_ratio: seen });
  });
});

describe('the arrow keys on the sliders', () => {
  it('lose no key press, whether or not the address has been updated', async () => {
    const { page } = await newVisitor(browser, { token });
    await page.goto(`${site.url}/Tight_Binding`);
    await page.getByText(WORDS.en.same).waitFor();
    const t2 = page.getByRole('slider', { name: WORDS.en.t2 });
    await t2.focus();
    for (let press = 1; press <= 8; press++) {
      await page.keyboard.press('ArrowRight');
      // Like a person, pauses after every third press until the address is updated.
      if (press % 3 === 0) await page.waitForURL(new RegExp(`t2=-0\\.${10 - press}`));
    }
    await expect.poll(() => t2.getAttribute('aria-valuenow')).toBe('-0.2');
    await page.waitForURL(/t2=-0\.2/);
  });

  it('set t1, t2 and an on-site energy one after the other, and Generate sends all three', async () => {
    const { page } = await newVisitor(browser, { token });
    await page.goto(`${site.url}/Tight_Binding`);
    await page.getByText(WORDS.en.same).waitFor();
    const sliders = page.getByRole('slider');
    const [t1, t2] = [
      page.getByRole('slider', { name: 't1 ratio' }),
      page.getByRole('slider', { name: WORDS.en.t2 }),
    ];
    const onsite = sliders.nth(2);
    await t1.press('End');
    await page.waitForURL(/t1=1/);
    await t2.press('ArrowRight');
    await onsite.press('End');
    const sent = page.waitForRequest(/get_band_data/);
    await page.getByRole('button', { name: WORDS.en.generate }).click();
    expect((await sent).postDataJSON()).toMatchObject({ t1_ratio: 1, t2_ratio: -0.9 });
    expect(Object.values((await sent).postDataJSON().onsites_symbol as object)).toContain(0.5);
  });
});

describe('the choice of a lattice', () => {
  it('finds the dice lattice by an alias from the keyboard and resets the ratios; Back undoes this', async () => {
    const { page } = await newVisitor(browser, { token });
    await page.goto(`${site.url}/Tight_Binding?grid=kgm&t2=-0.3`);
    await page.getByRole('button', { name: WORDS.en.choose }).click();
    await page.keyboard.type('dice');
    await page.getByRole('option', { name: /^kgd,/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/grid=kgd$/);
    await expect
      .poll(() => page.getByRole('slider', { name: WORDS.en.t2 }).getAttribute('aria-valuenow'))
      .toBe('-1');
    await page.goBack();
    await page.waitForURL(/grid=kgm&t2=-0.3/);
    await expect
      .poll(() => page.getByRole('slider', { name: WORDS.en.t2 }).getAttribute('aria-valuenow'))
      .toBe('-0.3');
  });

  it('keeps the selected state in the link: a band tapped on a phone is selected after a reload', async () => {
    const { page } = await newVisitor(browser, { token, viewport: { width: 360, height: 780 } });
    await page.goto(`${site.url}/Tight_Binding?grid=cqa&t2=0`);
    await page.locator('path[data-bands="12"]').waitFor();
    await page.getByRole('application').last().click();
    await page.waitForURL(/at=\d+\.\d+/);
    const caption = page.getByText(/^band \d+ at .*, E = /);
    const before = await caption.textContent();
    await page.reload();
    await caption.waitFor();
    await expect.poll(() => caption.textContent()).toBe(before);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});
