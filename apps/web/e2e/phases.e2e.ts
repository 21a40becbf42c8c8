/** Phase diagrams and the compounds placed in them, on materials of the seed data. */
import { describe, expect, it } from 'vitest';
import { oneUnlessNightly } from './support/browser.ts';
import { CHART, makeChartLive } from './support/charts.ts';
import { scrollToCentre, settled } from './support/page-state.ts';
import { openAsMember } from './support/open-site.ts';

const { site, page, open } = await openAsMember('13900000018');

/** Opens a diagram of two or three components, and points at it. */
const openDiagram = async (query: string) => {
  await open(`/phase?q=${query}`);
  await makeChartLive(page);
  await settled(page);
};
const tile = (symbol: string) => page.locator(`[data-symbol="${symbol}"]`);
/** Series of the drawing as plotly stores them. */
const series = () =>
  page
    .locator('.js-plotly-plot')
    .evaluate((plot) =>
      (plot as unknown as { data: { name?: string; visible?: unknown; x: unknown[] }[] }).data.map(
        ({ name = '', visible = true, x }) => ({ name, visible, points: x.length }),
      ),
    );

describe('the phase diagram page', () => {
  it('draws Ti and O selected in the table, shows unstable phases on demand, and lists their decomposition', async () => {
    await open('/phase');
    await tile('Ti').click();
    await tile('O').click();
    const box = page.getByRole('textbox', { name: 'Components of the diagram' });
    await expect.poll(() => box.inputValue()).toBe('Ti O');
    await page.getByRole('button', { name: 'Generate' }).click();
    await makeChartLive(page);
    const unstable = async () => (await series()).find(({ name }) => name === 'Unstable');
    await expect.poll(unstable).toMatchObject({ visible: 'legendonly' });
    await page.getByRole('button', { name: 'Show unstable phases' }).click();
    await expect.poll(unstable).toMatchObject({ visible: true });
    await expect.poll(() => page.getByText(/PBE \(MP 2018\) · release \d+/).count()).toBeGreaterThan(0);

    // The slider also limits the list.
    await page.getByRole('tab', { name: /Unstable/ }).click();
    const count = async () =>
      Number(/\d+/.exec(await page.getByRole('tab', { name: /Unstable/ }).innerText())?.[0]);
    const all = await count();
    expect(all).toBeGreaterThan(1);
    await page.getByRole('slider', { name: /unstable phases/i }).focus();
    await page.keyboard.press('Home');
    await expect.poll(count).toBeLessThan(all);
    await page.keyboard.press('End');
    await expect.poll(count).toBe(all);
  });

  it('opens the material of a row in a new tab, and shows the decomposition of an added compound', async () => {
    await openDiagram('Ti+O');
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('row', { name: /TiO2/ }).first().click(),
    ]);
    await opened.waitForURL(/\/matdatades\/\d+/);
    await opened.close();
    await page.getByRole('textbox', { name: 'Formula' }).fill('TiO');
    await page.getByRole('textbox', { name: 'Energy (eV/atom)' }).fill('-1');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/eV\/atom above the hull and decomposes into/).waitFor();
    await expect.poll(async () => (await series()).map(({ name }) => name)).toContain('My compound');
  });

  it('shows input errors while typing', async () => {
    await open('/phase');
    for (const [input, sentence] of [
      ['Ti', /Add at least one more component/],
      ['H He Li Be B', /at most four/],
      ['Xx O', /“Xx” is neither/],
    ] as const) {
      await page.getByRole('textbox', { name: 'Components of the diagram' }).fill(input);
      await page.getByText(sentence).waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Generate' }).isDisabled()).toBe(true);
    }
  });
});

describe('unstable phases with the composition of a stable phase', () => {
  /** The points of one trace of the drawing: their ids and positions on the screen. */
  const pointsOf = (trace: 'Stable' | 'Unstable') =>
    page.locator('.js-plotly-plot').evaluate((plot, traceName) => {
      interface Axis {
        readonly _offset: number;
        l2p(value: number): number;
      }
      const drawn = plot as unknown as {
        data: { name?: string; x: number[]; y: number[]; customdata: string[] }[];
        _fullLayout: { xaxis: Axis; yaxis: Axis };
      };
      const frame = plot.getBoundingClientRect();
      const { xaxis, yaxis } = drawn._fullLayout;
      const { x, y, customdata } = drawn.data.find(({ name }) => name === traceName)!;
      return customdata.map((key, i) => ({
        id: key.replace(/^(?:Uns|S)table-/, ''),
        x: frame.x + xaxis._offset + xaxis.l2p(x[i]!),
        y: frame.y + yaxis._offset + yaxis.l2p(y[i]!),
      }));
    }, trace);

  type Point = Awaited<ReturnType<typeof pointsOf>>[number];
  const unstablePoints = async (query: string): Promise<Point[]> => {
    await openDiagram(query);
    await page.getByRole('button', { name: 'Show unstable phases' }).click();
    await scrollToCentre(page.locator('.js-plotly-plot'));
    await expect
      .poll(async () => (await series()).find(({ name }) => name === 'Unstable')?.visible)
      .toBe(true);
    await settled(page);
    return await pointsOf('Unstable');
  };
  const pointAt = async ({ id, x, y }: Point): Promise<void> => {
    await page.mouse.move(x, y - 60);
    await page.mouse.move(x, y);
    await page
      .locator('.hovertext')
      .getByText(new RegExp(`· ${id}(:|$)`))
      .first()
      .waitFor();
  };

  it.each(oneUnlessNightly(['Ti+O', 'Li+Mn+O']))(
    'are each labelled at their own position in the diagram %s',
    async (query) => {
      const points = await unstablePoints(query);
      expect(points.length).toBeGreaterThan(1);
      for (const point of points) await pointAt(point);
    },
  );

  it('are labelled in a diagram of three elements, and open their material when clicked if no other point covers them', async () => {
    const points = await unstablePoints('Li+P+S');
    expect(points.length).toBeGreaterThan(1);
    for (const point of points) await pointAt(point);
    const all = [...points, ...(await pointsOf('Stable'))];
    const roomAt = (point: Point): number =>
      Math.min(
        ...all.filter((each) => each !== point).map((each) => Math.hypot(each.x - point.x, each.y - point.y)),
      );
    const free = points.toSorted((a, b) => roomAt(a) - roomAt(b)).at(-1)!;
    expect(roomAt(free)).toBeGreaterThan(20);
    await pointAt(free);
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.mouse.click(free.x, free.y),
    ]);
    await opened.waitForURL(new RegExp(`/matdatades/${free.id}$`));
    await opened.close();
  });
});

describe('the diagram and its table', () => {
  /**
   * Position of the ring around the highlighted phase, in the coordinates of the drawing; undefined if there is none.
   */
  const ring = () =>
    page.locator('.js-plotly-plot').evaluate((plot) => {
      const { x, y } = (plot as unknown as { data: { x: number[]; y: number[] }[] }).data.at(-1)!;
      return x.length === 0 ? undefined : { x: x[0]!, y: y[0]! };
    });

  it('highlight each other: hovering a row marks its point, hovering a point marks its row', async () => {
    await openDiagram('Ti+O');
    const row = page.getByRole('row', { name: /Ti3O5/ }).first();
    expect(await ring()).toBeUndefined();
    await row.hover();
    await expect.poll(async () => (await ring())?.x).toBeCloseTo(5 / 8, 6);
    const energy = Number((await row.innerText()).match(/−\d\.\d{3}/)![0].replace('−', '-'));
    expect((await ring())!.y).toBeCloseTo(energy, 2);
    // Focusing the row with the keyboard also marks its point.
    await page.mouse.move(0, 0);
    await expect.poll(ring).toBeUndefined();
    await row.getByRole('link').first().focus();
    await expect.poll(async () => (await ring())?.x).toBeCloseTo(5 / 8, 6);
    await row.getByRole('link').first().blur();
    await scrollToCentre(page.locator('.js-plotly-plot'));
    const place = await page.locator('.js-plotly-plot').evaluate(
      (plot, wanted) => {
        interface Axis {
          readonly _offset: number;
          l2p(value: number): number;
        }
        const { xaxis, yaxis } = (plot as unknown as { _fullLayout: { xaxis: Axis; yaxis: Axis } })
          ._fullLayout;
        const frame = plot.getBoundingClientRect();
        return {
          x: frame.x + xaxis._offset + xaxis.l2p(wanted.x),
          y: frame.y + yaxis._offset + yaxis.l2p(wanted.y),
        };
      },
      { x: 5 / 8, y: energy },
    );
    await page.mouse.move(place.x, place.y - 40);
    await page.mouse.move(place.x, place.y);
    await expect.poll(() => row.getAttribute('data-highlighted')).toBe('true');
    await expect.poll(() => page.locator('tr[data-highlighted]').count()).toBe(1);
  });

  it('are side by side from 1280 px and stacked on a tablet', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await openDiagram('Li+Mn+O');
    const places = async () => {
      const [plot, table] = await Promise.all([
        page.locator('.js-plotly-plot').boundingBox(),
        page.getByRole('table').first().boundingBox(),
      ]);
      return { plot: plot!, table: table! };
    };
    const wide = await places();
    expect(wide.table.x).toBeGreaterThan(wide.plot.x + wide.plot.width);
    expect(wide.table.y).toBeLessThan(wide.plot.y + wide.plot.height / 2);
    await page.setViewportSize({ width: 820, height: 900 });
    await expect
      .poll(async () => {
        const { plot, table } = await places();
        return table.y >= plot.y + plot.height;
      })
      .toBe(true);
  });

  it('offer no slider without unstable phases', async () => {
    await openDiagram('Li+Mn+O');
    await page.getByRole('button', { name: 'Show unstable phases' }).click();
    const limits = page.getByRole('slider', { name: /unstable phases/i });
    await expect.poll(() => limits.count()).toBe(1);
    await openDiagram('Li+F');
    await expect.poll(() => page.getByRole('tab', { name: /Unstable \(0\)/ }).count()).toBe(1);
    await expect.poll(() => limits.count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Show unstable phases' }).count()).toBe(0);
  });

  it('draw three and four components; with four, only the tie lines of the phase whose row is hovered', async () => {
    await openDiagram('Li+Fe+O');
    await open('/phase?q=Li+Fe+P+O');
    await makeChartLive(page);
    await page.locator('.js-plotly-plot canvas').first().waitFor();
    const ties = () =>
      page.locator('.js-plotly-plot').evaluate((plot) => {
        const lines = (
          plot as unknown as { data: { mode?: string; line?: { width?: number }; x: (number | null)[] }[] }
        ).data.filter(({ mode, line }) => mode === 'lines' && line?.width === 3);
        return lines.flatMap(({ x }) => x.filter((value) => value === null)).length;
      });
    expect(await ties()).toBe(0);
    await page
      .getByRole('row', { name: /LiFePO4/ })
      .first()
      .hover();
    await expect.poll(ties).toBeGreaterThan(2);
    await page.mouse.move(0, 0);
    await expect.poll(ties).toBe(0);
  });
});

describe('the diagram', () => {
  it('is static without plotly.js until hovered, and then highlights the point in the same frame', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${site.url}/phase?q=Ti+O`);
    const still = page.locator('svg[data-still]');
    await still.waitFor();
    await settled(page);
    expect(asked.filter((url) => url.includes('plotly'))).toEqual([]);
    const chart = page.locator(`[role="img"]:has(${CHART})`);
    const before = await chart.boundingBox();
    const point = (await still.locator('path[d*="a4 4"]').first().boundingBox())!;
    await page.mouse.move(point.x + point.width / 2, point.y + point.height / 2);
    await page.locator('.hovertext').getByText('eV/atom').first().waitFor();
    await expect.poll(() => still.count()).toBe(0);
    expect(await chart.boundingBox()).toEqual(before);
  });

  it('keeps working after a language change and after leaving the page', async () => {
    await openDiagram('Ti+O');
    await page.getByRole('button', { name: '切换到中文' }).click();
    await page.getByRole('heading', { name: '相图', exact: true }).first().waitFor();
    await page.locator(CHART).first().waitFor();
    await page.getByRole('button', { name: 'Switch to English' }).click();
    await page.locator(CHART).first().waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Unitcell' }).click();
    await page.getByRole('heading', { name: 'Materials search' }).waitFor();
  });
});
