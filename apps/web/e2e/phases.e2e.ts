/** Phase diagram → place a compound → window search → window → interface reaction, on the seed materials. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newVisitor, type Visitor } from './support/browser.ts';
import { tokenFor } from './support/sign-in.ts';
import { openStage } from './support/stage.ts';

const { site, browser } = await openStage({ isShared: true });
const token = await tokenFor(site, '13900000018');

let visitor: Visitor;
let page: Page;
/** Everybody who looks at a page here does so in a browser of their own. */
beforeEach(async () => {
  visitor = await newVisitor(browser, { token });
  ({ page } = visitor);
});
afterEach(async () => {
  const { complaints } = visitor;
  await page.context().close();
  if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`);
});

const open = (path: string) => page.goto(`${site.url}${path}`);
/** A diagram of two or three components, drawn. */
const openDiagram = async (query: string) => {
  await open(`/phase?q=${query}`);
  await page.locator('.js-plotly-plot .scatterlayer').waitFor();
};
const tile = (symbol: string) => page.locator(`[data-symbol="${symbol}"]`);
/** Series of the drawing as plotly holds them. */
const series = () =>
  page
    .locator('.js-plotly-plot')
    .evaluate((plot) =>
      (plot as unknown as { data: { name?: string; visible?: unknown; x: unknown[] }[] }).data.map(
        ({ name = '', visible = true, x }) => ({ name, visible, points: x.length }),
      ),
    );

describe('the phase diagram page', () => {
  it('draws Ti and O picked from the table, with unstable phases hidden until toggled', async () => {
    await open('/phase');
    await tile('Ti').click();
    await tile('O').click();
    const box = page.getByRole('textbox', { name: 'Components of the diagram' });
    expect(await box.inputValue()).toBe('Ti O');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    const unstable = async () => (await series()).find(({ name }) => name === 'Unstable');
    expect(await unstable()).toMatchObject({ visible: 'legendonly' });
    await page.getByRole('button', { name: 'Show unstable phases' }).click();
    await expect.poll(unstable).toMatchObject({ visible: true });
    expect(await page.getByText(/PBE \(MP 2018\) · release \d+/).count()).toBeGreaterThan(0);
  });

  it('opens the material of a row in a new tab', async () => {
    await openDiagram('Ti+O');
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('row', { name: /TiO2/ }).first().click(),
    ]);
    await opened.waitForURL(/\/matdatades\/\d+/);
    await opened.close();
  });

  it('lists the unstable phases with what they decompose into, and follows the slider', async () => {
    await openDiagram('Ti+O');
    await page.getByRole('tab', { name: /UnStable/ }).click();
    const count = async () =>
      Number(/\d+/.exec(await page.getByRole('tab', { name: /UnStable/ }).innerText())?.[0]);
    const all = await count();
    expect(all).toBeGreaterThan(1);
    const thumb = page.getByRole('slider');
    await thumb.focus();
    await page.keyboard.press('Home');
    await expect.poll(count).toBeLessThan(all);
    await page.keyboard.press('End');
    await expect.poll(count).toBe(all);
  });

  it('places a compound with its decomposition', async () => {
    await openDiagram('Ti+O');
    await page.getByRole('textbox', { name: 'Formula' }).fill('TiO');
    await page.getByRole('textbox', { name: 'Energy (eV/atom)' }).fill('-1');
    await page.getByRole('button', { name: 'Place', exact: true }).click();
    await page.getByText(/eV\/atom above the hull and decomposes into/).waitFor();
    expect((await series()).some(({ name }) => name === 'My compound')).toBe(true);
  });

  it.each([
    ['Ti', /One component makes no diagram/],
    ['H He Li Be B', /at most four/],
    ['Xx O', /“Xx” is neither/],
  ])('says what is wrong with %s while it is typed', async (input, sentence) => {
    await open('/phase');
    await page.getByRole('textbox', { name: 'Components of the diagram' }).fill(input);
    await page.getByText(sentence).waitFor();
    expect(await page.getByRole('button', { name: 'Generate' }).isDisabled()).toBe(true);
  });

  it('says in words that nothing is known of an element', async () => {
    await open('/phase?q=Ti+Og');
    await page
      .getByRole('alert')
      .getByText(/no energies of Og/)
      .waitFor();
  });

  it('draws three and four components', async () => {
    await openDiagram('Li+Fe+O');
    await open('/phase?q=Li+Fe+P+O');
    await page.locator('.js-plotly-plot canvas').first().waitFor();
  });
});

describe('unstable phases in the place of a stable one', () => {
  /** Every unstable point of the drawing: its id and where it is on the screen. */
  const unstablePoints = () =>
    page.locator('.js-plotly-plot').evaluate((plot) => {
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
      const { x, y, customdata } = drawn.data.find(({ name }) => name === 'Unstable')!;
      return customdata.map((key, i) => ({
        id: key.replace('Unstable-', ''),
        x: frame.x + xaxis._offset + xaxis.l2p(x[i]!),
        y: frame.y + yaxis._offset + yaxis.l2p(y[i]!),
      }));
    });

  it.each(['Ti+O', 'Li+Mn+O', 'Li+P+S'])(
    '%s: each is named where it is pointed at, and opens its own material',
    async (query) => {
      await openDiagram(query);
      await page.getByRole('button', { name: 'Show unstable phases' }).click();
      await page.locator('.js-plotly-plot').scrollIntoViewIfNeeded();
      await expect
        .poll(async () => (await series()).find(({ name }) => name === 'Unstable')?.visible)
        .toBe(true);
      const points = await unstablePoints();
      expect(points.length).toBeGreaterThan(1);
      for (const { id, x, y } of points) {
        await page.mouse.move(x, y - 60);
        await page.mouse.move(x, y);
        await page
          .locator('.hovertext')
          .getByText(new RegExp(`· ${id}$`))
          .waitFor();
      }
      const last = points.at(-1)!;
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        page.mouse.click(last.x, last.y),
      ]);
      await opened.waitForURL(new RegExp(`/matdatades/${last.id}$`));
      await opened.close();
    },
  );
});

describe('a diagram and its table', () => {
  /** Where the ring about the pointed phase is, in the drawing's own numbers; undefined when there is none. */
  const ring = () =>
    page.locator('.js-plotly-plot').evaluate((plot) => {
      const { x, y } = (plot as unknown as { data: { x: number[]; y: number[] }[] }).data.at(-1)!;
      return x.length === 0 ? undefined : { x: x[0]!, y: y[0]! };
    });

  it('point at each other: a row rings its point, a point tints its row', async () => {
    await openDiagram('Ti+O');
    const row = page.getByRole('row', { name: /Ti3O5/ }).first();
    expect(await ring()).toBeUndefined();
    await row.hover();
    await expect.poll(async () => (await ring())?.x).toBeCloseTo(5 / 8, 6);
    const energy = Number((await row.innerText()).match(/−\d\.\d{3}/)![0].replace('−', '-'));
    expect((await ring())!.y).toBeCloseTo(energy, 2);
    // By the keyboard, too.
    await page.mouse.move(0, 0);
    await expect.poll(ring).toBeUndefined();
    await row.getByRole('link').first().focus();
    await expect.poll(async () => (await ring())?.x).toBeCloseTo(5 / 8, 6);
    await row.getByRole('link').first().blur();
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
    expect(await page.locator('tr[data-highlighted]').count()).toBe(1);
  });

  it('stand side by side from 1280 px, one under the other on a tablet', async () => {
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

  it('offer no slider of unstable phases where there are none', async () => {
    await openDiagram('Li+Mn+O');
    expect(await page.getByRole('slider').count()).toBe(1);
    await openDiagram('Li+F');
    expect(await page.getByRole('tab', { name: /UnStable \(0\)/ }).count()).toBe(1);
    expect(await page.getByRole('slider').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Show unstable phases' }).count()).toBe(0);
  });

  it('draw the tie lines of the phase of a row alone, in a system of four', async () => {
    await open('/phase?q=Li+Fe+P+O');
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

describe('a diagram', () => {
  it('survives a change of language and leaving the page', async () => {
    await openDiagram('Ti+O');
    await page.getByRole('button', { name: '切换到中文' }).click();
    await page.getByRole('heading', { name: '相图', exact: true }).first().waitFor();
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    await page.getByRole('button', { name: 'Switch to English' }).click();
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Unitcell' }).click();
    await page.getByRole('heading', { name: 'Materials search' }).waitFor();
  });
});

describe('the electrochemical windows', () => {
  it('are searched with the advanced options and open their page', async () => {
    await open('/Ec_window');
    await page.getByRole('combobox', { name: 'Search by' }).selectOption('formula');
    await page.getByRole('textbox', { name: 'What to search for' }).fill('LiFePO4');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: /found for/ }).waitFor();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .getByRole('row', { name: /LiFePO4/ })
        .first()
        .click(),
    ]);
    await opened.waitForURL(/\/Ec_windowDetail\/\d+\/Li$/);
    await opened.getByRole('heading', { name: 'Diagram of Electrochmical Window' }).waitFor();
    await opened.getByText(/Reduction onset \d\.\d{3} V/).waitFor();
    expect(await opened.locator('tr[data-highlighted]').count()).toBe(2);
    await opened.close();
  });

  it('keep the results of the last search when a filter is wrong, and say so', async () => {
    await open('/Ec_window?by=formula&q=LiFePO4');
    await page.getByRole('heading', { name: /found for/ }).waitFor();
    await page.getByRole('button', { name: /Advanced Options/ }).click();
    await page.getByRole('textbox', { name: 'Excluded elements' }).fill('Xx');
    await page.getByText('“Xx” is not an element').waitFor();
    expect(await page.getByRole('heading', { name: /found for/ }).count()).toBe(1);
  });

  it('say in words that the ion has no window against itself', async () => {
    await open('/Ec_window?by=formula&q=Li');
    await page.getByText('No matching records found').waitFor();
  });
});

describe('the interface reaction page', () => {
  it('computes, highlights the reaction of the largest driving force and exports it', async () => {
    await open('/Interface_reaction');
    await page.getByRole('textbox', { name: 'Reactant 1' }).fill('TiO2');
    await page.getByRole('textbox', { name: 'Reactant 2' }).fill('Mg');
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.getByText('The reaction with the largest driving force').waitFor();
    expect(await page.locator('tr[data-highlighted]').count()).toBe(1);
    // All seven columns stand in their frame at 1440 px.
    const table = page.getByRole('region', { name: 'Reactions by molar fraction' });
    expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('interface-TiO2-Mg.json');
  });

  it('opens the interface to oxygen gas', async () => {
    await open('/Interface_reaction?a=TiO2&b=Mg');
    await page.getByText('The reaction with the largest driving force').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Energies are per atom that is not O.').waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe('O');
  });

  it.each([
    ['TiO2', 'Ti2O4', /does not react with itself/],
    ['Xx', 'Mg', /cannot be read as a formula/],
  ])('says what is wrong with %s and %s', async (a, b, sentence) => {
    await open(`/Interface_reaction?a=${a}&b=${b}`);
    await page.getByRole('alert').getByText(sentence).waitFor();
  });
});

it('the interface reaction page names the material that does not exist, and complains of nothing else', async () => {
  await open('/Interface_reaction?a=TiO2&b=999999999');
  await page
    .getByRole('alert')
    .getByText(/There is no material 999999999/)
    .waitFor();
  expect(visitor.complaints).toEqual([]);
});

describe('the energy scale', () => {
  const scale = () => page.getByRole('combobox', { name: 'Energy scale' });

  it('is chosen on the page, kept in the link and printed on the plot', async () => {
    await open('/phase?q=Ti+O');
    await scale().selectOption('experiment-298K');
    await page
      .getByText(/experiment, 298 K · release \d+/)
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('scale')).toBe('experiment-298K');
    await page.getByRole('button', { name: 'Generate' }).click();
    expect(new URL(page.url()).search).toBe('?q=Ti+O&scale=experiment-298K');
    await page.goBack();
    await page
      .getByText(/PBE \(MP 2018\) · release \d+/)
      .first()
      .waitFor();
  });

  it('goes from a search to the window and to the material', async () => {
    await open('/Ec_window?by=formula&q=TiO2&scale=experiment-298K');
    await page.getByText(/experiment, 298 K · release \d+/).waitFor();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('row', { name: /TiO2/ }).first().click(),
    ]);
    await opened.waitForURL(/\/Ec_windowDetail\/\d+\/Li\?scale=experiment-298K$/);
    await opened
      .getByText(/experiment, 298 K · release \d+/)
      .first()
      .waitFor();
    const link = opened.getByRole('link', { name: 'Open the material' });
    expect(await link.getAttribute('href')).toMatch(/^\/matdatades\/\d+\?scale=experiment-298K$/);
    await opened.close();
  });

  it('is one for both reactants', async () => {
    await open('/Interface_reaction?a=TiO2&b=Mg&scale=experiment-298K');
    await page
      .getByText(/experiment, 298 K · release \d+/)
      .first()
      .waitFor();
    await scale().selectOption('PBE (MP 2018)');
    await page
      .getByText(/PBE \(MP 2018\) · release \d+/)
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toBe('?a=TiO2&b=Mg');
  });
});

/** What cannot be answered, with what the page says in English and in Chinese. */
const REFUSALS: readonly (readonly [path: string, en: RegExp, zh: RegExp])[] = [
  ['/phase?q=Ti', /two to four components; 1 were given/, /二至四个组分，当前输入了 1 个/],
  ['/phase?q=H+He+Li+Be+B', /5 were given/, /当前输入了 5 个/],
  ['/phase?q=H+He+Li+Be+B+C+N+O+F+Ne+Na+Mg', /12 were given/, /当前输入了 12 个/],
  ['/phase?q=Xx+O', /neither an element nor a formula/, /既不是元素也不是化学式/],
  ['/phase?q=Ti+Og', /no energies of Og/, /没有 Og/],
  ['/phase?q=MgO+Mg+O', /a mixture of the others/, /可由其余组分混合得到/],
  ['/phase?q=Ti+O&scale=LDA', /no energy scale called LDA/, /没有名为 LDA 的能量基准/],
  ['/Interface_reaction?a=TiO2&b=Ti2O4', /does not react with itself/, /不会与自身反应/],
  ['/Interface_reaction?a=TiO2&b=Og', /no energies of Og/, /没有 Og/],
  ['/Interface_reaction?a=TiO2&b=Mg&open=Mg', /Mg is open to the reservoir/, /Mg 已与外界交换/],
  ['/Interface_reaction?a=TiO2&b=Mg&open=Qq', /Qq is not an element/, /Qq 不是元素/],
  ['/Interface_reaction?a=H2LiNaKRbCsF&b=BeMgCaSrBaO', /at most 12/, /最多接受 12 种/],
  ['/Ec_windowDetail/999999999/Li', /no material with the id 999999999/, /999999999/],
  ['/Ec_windowDetail/1/Fe', /Fe is not a working ion/, /Fe 不是工作离子/],
  ['/Ec_windowDetail/abc/Li', /the id of a material/, /请求/],
  ['/Ec_window?by=struct_id&q=abc', /abc is not a material id/, /abc 不是/],
  ['/Ec_window?q=O-*&scale=LDA', /no energy scale called LDA/, /没有名为 LDA 的能量基准/],
];

describe.each(['en', 'zh'] as const)('what cannot be answered, in %s', (language) => {
  let reader: Visitor;
  beforeAll(async () => {
    reader = await newVisitor(browser, { language, token });
  });
  afterAll(() => reader.page.context().close());

  it.each(REFUSALS)('%s: said in words, and nothing goes on turning', async (path, en, zh) => {
    await reader.page.goto(`${site.url}${path}`);
    await reader.page
      .getByRole('alert')
      .getByText(language === 'en' ? en : zh)
      .first()
      .waitFor();
    await expect.poll(() => reader.page.locator('main .mantine-Loader-root').count()).toBe(0);
  });
});
