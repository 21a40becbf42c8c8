/** The controls of the filter sidebar: a range with its boxes, and choices with counts. */
import { examples } from '@unitcell/contract/examples';
import { type Facet, screenMaterials } from '@unitcell/contract/matdata';
import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { ChoiceFilter } from './filter-sidebar.tsx';
import type { Range } from '../../../components/filter/conditions.ts';
import { NUMBER_PROPERTIES, RANGE_FIELDS } from '../../../components/filter/filter-fields.ts';
import { RangeFilter } from './range-filter.tsx';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { materialFilterFields, printFilter } from '@unitcell/filter';
import { randomFilter } from '@unitcell/filter/testing';
import { seededRandom } from '@unitcell/numerics';
import { SEARCH_TYPES, searchBasis } from '../../../components/search-form/search-form.tsx';
import { conditionsOfText, textOfConditions } from '../../../components/filter/conditions.ts';
import { readSearchState, type SearchState, writeSearchState } from '../search-part.tsx';
import { ScreenResults } from '../filter/screen-results.tsx';
import { heatOf, ScatterPanel, shortNumber } from '../filter/scatter-panel.tsx';

const field = RANGE_FIELDS.find(({ property }) => property === 'band_gap')!;

/** A range filter with state, as on the page; reports the changes. */
function Ranged({ onRange }: { readonly onRange: (range: Range) => void }) {
  const [range, setRange] = useState<Range>({ from: null, to: null });
  const change = (next: Range): void => {
    setRange(next);
    onRange(next);
  };
  return <RangeFilter field={field} facet={undefined} range={range} onRange={change} />;
}

describe('RangeFilter', () => {
  const open = async () => {
    const reported: Range[] = [];
    await renderInApp(<Ranged onRange={(range) => void reported.push(range)} />);
    const [from, to] = screen.getAllByRole<HTMLInputElement>('textbox');
    return { reported, from: from!, to: to!, user: userEvent.setup() };
  };

  it('reports a value on blur or Enter, not after every character', async () => {
    const { reported, from, to, user } = await open();
    await user.type(from, '1.25');
    expect(reported).toEqual([]);
    await user.keyboard('{Enter}');
    await user.type(to, '3');
    await user.tab();
    expect(reported).toEqual([
      { from: 1.25, to: null },
      { from: 1.25, to: 3 },
    ]);
    await user.clear(from);
    await user.tab();
    expect(reported.at(-1)).toEqual({ from: null, to: 3 });
  });

  it('accepts a decimal comma and a typographic minus, and restores the last value for invalid input', async () => {
    const { reported, from, user } = await open();
    await user.type(from, '\u22120,5{Enter}');
    expect(reported).toEqual([{ from: -0.5, to: null }]);
    await user.clear(from);
    await user.type(from, '1e{Enter}');
    expect(from.value).toBe('-0.5');
    expect(reported).toHaveLength(1);
  });

  it('marks a preset as on if the limits match, however they were set, and a second click removes them', async () => {
    const { reported, from, to, user } = await open();
    const button = () => screen.getByRole('button', { name: /2–4/ });
    await user.type(from, '2{Enter}');
    expect(button().getAttribute('aria-pressed')).toBe('false');
    await user.type(to, '4{Enter}');
    expect(button().getAttribute('aria-pressed')).toBe('true');
    await user.click(button());
    expect(reported.at(-1)).toEqual({ from: null, to: null });
    expect([from.value, to.value]).toEqual(['', '']);
    await user.click(button());
    expect([from.value, to.value]).toEqual(['2', '4']);
  });
});

describe('ChoiceFilter', () => {
  const values = Array.from({ length: 12 }, (_, index) => ({ value: `Pnma-${index}`, count: 100 - index }));
  const facet: Facet = { kind: 'values', values, others: 31, missing: 0, total: 200 };

  function Chosen({ start }: { readonly start: readonly string[] }) {
    const [chosen, setChosen] = useState(start);
    return (
      <>
        <ChoiceFilter property="space_group" facet={facet} chosen={chosen} onChosen={setChosen} />
        <output>{chosen.join(' ')}</output>
      </>
    );
  }
  const chosen = () => screen.getByRole('status').textContent;

  it('offers the most frequent values as buttons and the others in a list; selected ones become buttons', async () => {
    await renderInApp(<Chosen start={[]} />);
    expect(screen.getAllByRole('checkbox')).toHaveLength(7);
    const user = userEvent.setup();
    await user.click(screen.getAllByRole('checkbox')[1]!);
    expect(chosen()).toBe('Pnma-1');
    await user.selectOptions(screen.getByRole('combobox'), 'Pnma-9');
    expect(chosen()).toBe('Pnma-1 Pnma-9');
    expect(screen.getAllByRole('checkbox')).toHaveLength(8);
    expect(screen.getByText('31 with other values')).toBeDefined();
    await user.click(screen.getAllByRole('checkbox')[1]!);
    expect(chosen()).toBe('Pnma-9');
  });

  it('keeps the seven crystal systems in a fixed order', async () => {
    const names = () => screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent);
    const ofSystems = (counted: Facet | undefined) => (
      <ChoiceFilter property="crystal_system" facet={counted} chosen={[]} onChosen={() => undefined} />
    );
    const { rerender } = await renderInApp(ofSystems(undefined));
    const awaited = names();
    expect(awaited).toHaveLength(7);
    rerender(ofSystems({ ...facet, values: [{ value: 'cubic', count: 9 }], others: 0 }));
    expect(names()).toEqual(awaited.map((name) => (name === 'cubic' ? 'cubic9' : `${name}0`)));
  });

  it('keeps a selected value visible at count zero, so that it can be deselected', async () => {
    await renderInApp(<Chosen start={['Fddd']} />);
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.filter(({ checked }) => checked)).toHaveLength(1);
    await userEvent.setup().click(boxes.find(({ checked }) => checked)!);
    expect(chosen()).toBe('');
  });
});

describe('the state in the address', () => {
  it('round-trips', () => {
    const state = {
      type: 'formula' as const,
      query: 'Li(CoO2)2',
      filter: 'elements HAS "O" AND band_gap >= 2',
      plot: 'band_gap.density.nsites',
      heat: 'density',
      calculated: ['[bulk_modulus / density]', '[band_gap ^ 2.5]'],
      ion: 'Na',
      scale: 'experiment-298K',
      view: { sort: { id: 'band_gap', desc: true }, page: 3, shown: ['struct_id', 'formula'] },
    };
    expect(readSearchState(writeSearchState(state))).toEqual(state);
  });

  it('round-trips for any selection, order, plot and page', () => {
    const random = seededRandom(1822);
    const pick = <T,>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const maybe = <T,>(value: () => T): T | null => (random() < 0.5 ? value() : null);
    const texts = ['Li-O-*', 'Fe2(SO4)3', '"a" & b=c#d+e %41', '钛酸锶', 'PBE (MP 2018)', ' '];
    const fields = materialFilterFields();
    const calculated = ['[bulk_modulus / density]', '[0.5 * (band_gap + 1)]'];
    const numbers = [...NUMBER_PROPERTIES, ...calculated];
    for (let round = 0; round < 1000; round++) {
      const filter = printFilter(randomFilter({ fields, values: new Map() }, random));
      const state: SearchState = {
        type: pick(SEARCH_TYPES),
        query: maybe(() => pick(texts)),
        filter: maybe(() => pick([filter, '', pick(texts)])),
        plot: maybe(() => [0, 1, 2].map(() => pick(numbers)).join('.')),
        heat: maybe(() => pick([...numbers, ''])),
        calculated: calculated.filter(() => random() < 0.5),
        ion: maybe(() => pick(WORKING_IONS)),
        scale: maybe(() => pick(['PBE (MP 2018)', 'r2SCAN'])),
        view: {
          sort: maybe(() => ({ id: pick(numbers), desc: random() < 0.5 })),
          page: Math.floor(5 * random()),
          shown: maybe(() => ['struct_id', pick(numbers)]),
        },
      };
      const address = writeSearchState(state).toString();
      expect([address, readSearchState(new URLSearchParams(address))]).toEqual([address, state]);
      // The controls write the filter back unchanged.
      const conditions = conditionsOfText(filter)!;
      expect(conditionsOfText(textOfConditions(conditions))).toEqual(conditions);
    }
  });

  it('is short for the default view', () => {
    const state = readSearchState(new URLSearchParams('q=Ti-O'));
    expect(writeSearchState(state).toString()).toBe('q=Ti-O');
  });

  it('uses the default for invalid values', () => {
    const state = readSearchState(new URLSearchParams('by=magic&page=-3&sort=-&columns='));
    expect(state).toEqual({
      type: 'elements',
      query: null,
      filter: null,
      plot: null,
      heat: null,
      calculated: [],
      ion: null,
      scale: null,
      view: { sort: null, page: 0, shown: null },
    });
  });
});

it('the missing compounds have no arrow, because the API cannot sort by them', async () => {
  serve({});
  await renderInApp(
    <ScreenResults
      screened={{
        ...screenMaterials.answer.parse(examples.screenMaterials?.response),
        materials: [],
        sent: { call: screenMaterials, body: { filter: '' } },
      }}
      isStale={false}
      conditions={[]}
      onConditions={() => undefined}
      view={{ sort: null, page: 0, shown: ['formula', 'missing'] }}
      onViewChange={() => undefined}
      more={[]}
      selection={{ isSelected: () => false, onToggle: () => undefined, label: () => '' }}
      scale={null}
    />,
  );
  expect(screen.getByRole('button', { name: 'Formula' })).toBeDefined();
  expect(screen.getByRole('columnheader', { name: 'Missing compounds' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Missing compounds' })).toBeNull();
});

describe('searchBasis', () => {
  it('shows hyphens as spaces in element mode only', () => {
    expect(searchBasis('elements', 'Ti-O')).toBe('Ti O');
    expect(searchBasis('formula', 'TiO2')).toBe('TiO2');
  });
});

const elements = {
  O: { count: 900, known: 800, median: 3.2 },
  F: { count: 100, known: 90, median: 6 },
  Au: { count: 9, known: 5, median: 0 },
  Xe: { count: 1, known: 0, median: null },
};

describe('the scatter plot', () => {
  const SIZE = 400;

  async function openPlot() {
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, SIZE, SIZE));
    vi.spyOn(Element.prototype, 'setPointerCapture').mockReturnValue(undefined);
    const sent = serve({
      '/screen/points/': { x: [0, 1, 2], y: [0, 1, 2], color: null, total: 3 },
      '/screen/': { rows: [['TiO2'], ['SrTiO3']], total: 6 },
    });
    const filtered: string[] = [];
    await renderInApp(
      <ScatterPanel
        plot="band_gap.density"
        onPlot={() => undefined}
        filter="nelements = 2"
        scale="PBE"
        conditions={[]}
        onConditions={(conditions) => void filtered.push(textOfConditions(conditions))}
      />,
    );
    const frame = (await screen.findByRole('figure')).querySelector('canvas')!.parentElement!;
    const middle = { clientX: SIZE / 2, clientY: SIZE / 2 };
    const tap = (pointerType: string) => {
      fireEvent.pointerDown(frame, { ...middle, pointerType });
      fireEvent.pointerUp(frame, { ...middle, pointerType });
    };
    return { sent, filtered, frame, middle, tap };
  }

  it('names the materials of the point under the pointer', async () => {
    const { sent, frame, middle } = await openPlot();
    fireEvent.pointerMove(frame, { ...middle, pointerType: 'mouse' });
    expect(await screen.findByText(/TiO₂, SrTiO₃ and 4 more/)).toBeTruthy();
    const { filter } = sent.at(-1) as { filter: string };
    expect(filter).toMatch(/^\(nelements = 2\) AND band_gap >= 0\.\d+ AND band_gap <= 1\.\d+ AND density/);
  });

  it('does not draw the points of the previous columns under the titles of new columns', async () => {
    vi.stubGlobal('fetch', async (_: string, { body }: { readonly body: string }) => {
      if (!body.includes('density')) await new Promise(() => undefined);
      return new Response(JSON.stringify({ x: [0, 1], y: [0, 1], color: null, total: 2 }));
    });
    function Plotted() {
      const [plot, setPlot] = useState('band_gap.density');
      const rest = { filter: '', scale: 'PBE', conditions: [], onConditions: () => undefined };
      return <ScatterPanel plot={plot} onPlot={setPlot} {...rest} />;
    }
    await renderInApp(<Plotted />);
    await screen.findByRole('figure');
    await userEvent.setup().selectOptions(screen.getAllByRole('combobox')[1]!, 'energy_above_hull');
    expect(screen.queryByRole('figure')).toBeNull();
  });

  it('shows a point at the first tap of a finger, and filters by it at the second', async () => {
    const { filtered, tap } = await openPlot();
    tap('touch');
    expect(await screen.findByText(/TiO₂/)).toBeTruthy();
    expect(filtered).toEqual([]);
    tap('touch');
    expect(filtered).toHaveLength(1);
  });
});

describe('heatOf', () => {
  it('colours medians from the lowest to the highest, and omits elements without a median', () => {
    const { tiles, from, to } = heatOf(elements, true);
    expect([from, to]).toEqual([0, 6]);
    expect(tiles.map(({ symbol }) => symbol)).toEqual(['O', 'F', 'Au']);
    const share = Object.fromEntries(tiles.map((tile) => [tile.symbol, tile.share]));
    expect(share['Au']).toBe(0);
    expect(share['O']).toBeCloseTo(3.2 / 6);
    expect(share['F']).toBe(1);
  });

  it('colours counts by their square roots', () => {
    const { tiles } = heatOf(elements, false);
    expect(tiles.find(({ symbol }) => symbol === 'F')?.share).toBeCloseTo(1 / 3);
    expect(tiles).toHaveLength(4);
  });

  it('uses the middle colour if all values are equal, and is empty without values', () => {
    expect(heatOf({ O: { count: 1, known: 1, median: 2 } }, true).tiles[0]?.share).toBe(0.5);
    expect(heatOf({}, true).tiles).toEqual([]);
  });
});

describe('shortNumber', () => {
  it.each([
    [0, '0'],
    [3.14159, '3.14'],
    [-2.5, '\u22122.50'],
    [-0.004, '\u22120.004'],
    [0.00052, '0.0005'],
    [31.4159, '31.4'],
    [314.159, '314'],
    [12_345, '12k'],
  ])('%s is %s', (value, text) => expect(shortNumber(value)).toBe(text));
});
