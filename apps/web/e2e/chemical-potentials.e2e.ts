/** The chemical potentials between which a compound of a diagram is stable, on materials of the seed data. */
import { describe, expect, it } from 'vitest';
import { CHART, makeChartLive } from './support/charts.ts';
import { scrollToCentre } from './support/page-state.ts';
import { openAsMember } from './support/open-site.ts';

const { page, open } = await openAsMember('13900000057');

const section = () => page.getByRole('region', { name: 'Chemical potentials' });
const choose = (compound: string) => section().getByLabel('Stable compound').selectOption(compound);
const cornerRows = () => section().getByRole('table', { name: 'Corners of the region' }).getByRole('row');
/** Scrolls to the chart, which is drawn only in view, and makes it live. */
const drawn = async (): Promise<void> => {
  await scrollToCentre(cornerRows().first());
  await makeChartLive(section());
};
/** Series of the drawing as plotly stores them. */
const series = () =>
  section()
    .locator('.js-plotly-plot')
    .evaluate((plot) =>
      (plot as unknown as { data: { name?: string; x: number[]; y: number[] }[] }).data.map(
        ({ name = '', x, y }) => ({ name, x, y }),
      ),
    );
/** Points of the polygon; the first is repeated at the end. */
const outline = async () => (await series())[0]!;

describe('the chemical potentials of a compound', () => {
  it('of two elements are a line between the neighbouring phases, and the address keeps the compound', async () => {
    await open('/phase?q=Ti+O');
    await choose('TiO2');
    await drawn();
    await expect.poll(() => new URL(page.url()).searchParams.get('compound')).toBe('TiO2');
    // Formation energy 3 × -3.519 eV. In equilibrium with O2, Δμ(O) is 0, so Δμ(Ti) is the whole formation energy.
    const withGas = cornerRows().filter({ hasText: 'O2' });
    await expect.poll(() => withGas.innerText()).toMatch(/−10\.556\s+0\s/);
    await expect.poll(() => cornerRows().filter({ hasText: 'Ti3O5' }).count()).toBe(1);
    await page.reload();
    await drawn();
    await expect.poll(() => section().getByLabel('Stable compound').inputValue()).toBe('TiO2');
  });

  it('of three elements fill a polygon; other axes show other sides of the same region', async () => {
    await open('/phase?q=Li+Fe+O&compound=LiFeO2');
    await drawn();
    const corners = (await cornerRows().count()) - 1;
    expect(corners).toBeGreaterThan(3);
    const first = await outline();
    expect(first.x).toHaveLength(corners + 1);
    await section().getByLabel('Axes').selectOption({ label: 'Δμ(Li) and Δμ(Fe)' });
    await expect.poll(async () => (await outline()).y).not.toEqual(first.y);
    const second = await outline();
    expect(second.x).toHaveLength(corners + 1);
    const range = (values: number[]) => [Math.min(...values), Math.max(...values)];
    expect(range(second.x)).toEqual(range(first.x).map((value) => expect.closeTo(value, 6)));
  });

  it('state whether a given temperature and pressure of oxygen lies in the region', async () => {
    await open('/phase?q=Ti+O&compound=Ti2O3');
    await section()
      .getByText(/Δμ\(O\) is −1\.17 eV in the gas: too high, Ti₂O₃ is stable up to/)
      .waitFor();
    await section().getByLabel('Temperature (K)').fill('5000');
    await section().getByText('0 to 3000 K').waitFor();
    await section().getByLabel('Temperature (K)').fill('1000');
    await choose('TiO2');
    await section()
      .getByText(/Δμ\(O\) is −1\.17 eV in the gas: inside the region/)
      .waitFor();
    await drawn();
    await expect
      .poll(async () => (await series()).find(({ name }) => name === 'O: O₂ (0.21 bar), 1000 K')?.y[0])
      .toBeCloseTo(-1.17, 2);
  });

  it('keep the gas when the compound changes, and have no lower limit for an element not in the compound', async () => {
    await open('/phase?q=Fe+P+O&compound=FeP');
    await section().getByLabel('Temperature (K)').fill('2000');
    await section().getByLabel('Partial pressure (bar)').fill('0.0000000000000001');
    await section().getByLabel('Partial pressure (bar)').press('Enter');
    await section()
      .getByText(/inside the region \(−∞ to −\d\.\d\d eV\)/)
      .waitFor();
    await choose('Fe2O3');
    await section()
      .getByText(/too low, Fe₂O₃/)
      .waitFor();
  });

  it('of four elements are drawn at a fixed potential of the fourth', async () => {
    await open('/phase?q=Li+Fe+P+O&compound=LiFePO4');
    await drawn();
    const before = await outline();
    expect(before.x.length).toBeGreaterThan(3);
    const thumb = section().getByRole('slider');
    await thumb.focus();
    for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await outline()).x).not.toEqual(before.x);
  });

  it('are not drawn if the diagram lacks the compound in the address', async () => {
    await open('/phase?q=Ti+O&compound=Ti7O9');
    await section()
      .getByRole('alert')
      .getByText(/no energy of Ti7O9/)
      .waitFor();
    await choose('TiO');
    await cornerRows().first().waitFor();
  });

  it('are linked from the page of a stable material', async () => {
    await open('/matdatades/145#phase-diagram');
    const link = page.getByRole('link', { name: 'Chemical potentials of TiO₂' });
    await link.click();
    await expect.poll(async () => (await section().boundingBox())?.y).toBeLessThan(200);
    await expect.poll(() => cornerRows().filter({ hasText: 'Ti3O5' }).count()).toBe(1);
  });

  it('are not requested for a diagram between compounds', async () => {
    await open('/phase?q=Li2O+MnO2');
    await page.locator(CHART).first().waitFor();
    await expect.poll(() => section().count()).toBe(0);
  });
});
