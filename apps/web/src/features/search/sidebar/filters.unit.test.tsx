// @vitest-environment happy-dom
/** The controls of the filter sidebar: a range with its boxes, and choices with counts. */
import type { Facet } from '@unitcell/contract/matdata';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { ChoiceFilter } from './filter-sidebar.tsx';
import type { Range } from '../../../components/filter/conditions.ts';
import { RANGE_FIELDS } from '../../../components/filter/filter-fields.ts';
import { RangeFilter } from './range-filter.tsx';

afterEach(cleanup);

const field = RANGE_FIELDS.find(({ property }) => property === 'band_gap')!;

/** State of a page around the filter, and the changes it received. */
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
    const told: Range[] = [];
    await renderInApp(<Ranged onRange={(range) => void told.push(range)} />);
    const [from, to] = screen.getAllByRole<HTMLInputElement>('textbox');
    return { told, from: from!, to: to!, user: userEvent.setup() };
  };

  it('reports a value on blur or Enter, not after every character', async () => {
    const { told, from, to, user } = await open();
    await user.type(from, '1.25');
    expect(told).toEqual([]);
    await user.keyboard('{Enter}');
    await user.type(to, '3');
    await user.tab();
    expect(told).toEqual([
      { from: 1.25, to: null },
      { from: 1.25, to: 3 },
    ]);
    await user.clear(from);
    await user.tab();
    expect(told.at(-1)).toEqual({ from: null, to: 3 });
  });

  it('accepts a decimal comma and a typographic minus, and restores the last value for invalid input', async () => {
    const { told, from, user } = await open();
    await user.type(from, '\u22120,5{Enter}');
    expect(told).toEqual([{ from: -0.5, to: null }]);
    await user.clear(from);
    await user.type(from, '1e{Enter}');
    expect(from.value).toBe('-0.5');
    expect(told).toHaveLength(1);
  });

  it('marks a preset as on if the limits match, however they were set, and switches it off by a second click', async () => {
    const { told, from, to, user } = await open();
    const button = () => screen.getByRole('button', { name: /2–4/ });
    await user.type(from, '2{Enter}');
    expect(button().getAttribute('aria-pressed')).toBe('false');
    await user.type(to, '4{Enter}');
    expect(button().getAttribute('aria-pressed')).toBe('true');
    await user.click(button());
    expect(told.at(-1)).toEqual({ from: null, to: null });
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
