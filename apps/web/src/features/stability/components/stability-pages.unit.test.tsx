import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { PourbaixResult as Answer, ReactionResult as Reaction } from '@unitcell/contract/stability';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { pourbaixRequest, readPourbaix } from '../pourbaix-address.ts';
import { reactionAddress } from './ellingham-result.tsx';
import { PourbaixOptions } from './pourbaix-page.tsx';
import { PourbaixResult } from './pourbaix-result.tsx';
import { Page as ReactionPage } from './reaction-page.tsx';
import { ReactionResult } from './reaction-result.tsx';

beforeEach(() => {
  // Answers of the server never arrive.
  vi.stubGlobal('fetch', () => new Promise<Response>(() => undefined));
  // happy-dom has no `document.fonts`, which autosizing text fields wait for.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
});
/** The conditions while the answer for them is still on its way. */
function Waiting() {
  const [input, setInput] = useState(() => readPourbaix(new URLSearchParams()));
  return (
    <>
      <PourbaixOptions
        input={input}
        elements={['Cr', 'Fe']}
        ratio={[0.5, 0.5]}
        concentrations={[1e-6, 1e-6]}
        onChange={(part) => setInput((now) => ({ ...now, ...part }))}
      />
      <p data-testid="asked">{input.concentrations.join(' ')}</p>
    </>
  );
}

it('two concentrations of a Pourbaix diagram that change before the answer arrives are both kept', async () => {
  await renderInApp(<Waiting />);
  const user = userEvent.setup();
  for (const [label, text] of [
    ['c(Cr) (mol/l)', '0.001'],
    ['c(Fe) (mol/l)', '0,01'],
  ] as const) {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), `${text}{Enter}`);
  }
  expect(screen.getByTestId('asked').textContent).toBe('0.001 0.01');
});

it('an energy beyond the limit of the API is refused in the form', async () => {
  await renderInApp(<Waiting />);
  const user = userEvent.setup();
  await user.click(screen.getByText('Place a compound'));
  const energy = screen.getByLabelText('Formation energy (eV/atom)');
  const form = within(energy.closest('form')!);
  await user.type(form.getByLabelText('Formula or #id'), 'FeO');
  const apply = form.getByRole<HTMLButtonElement>('button', { name: 'Apply' });
  for (const [text, isRefused] of [
    ['-21', true],
    ['-20', false],
  ] as const) {
    await user.clear(energy);
    await user.type(energy, text);
    expect(apply.disabled).toBe(isRefused);
    expect(form.queryByText('A number from −20 to 20') !== null).toBe(isRefused);
  }
});

it('the regions of a Pourbaix diagram are sorted by the numbers of their ends', async () => {
  const region = (index: number, ph: number, potential: number) => ({
    kind: 'corrosion',
    species: [{ index, amount: 1 }],
    plane: { constant: 0, ph: 0, potential: 0 },
    corners: [
      { ph, potential, neighbour: null },
      { ph: 14, potential: 2, neighbour: null },
      { ph: 14, potential, neighbour: null },
    ],
  });
  const result = {
    elements: ['Fe'],
    concentrations: [1e-6],
    energies: 'measured',
    window: { ph_min: -2, ph_max: 16, potential_min: -2, potential_max: 2 },
    water: { hydrogen: 0, oxygen: 1.23, slope: -0.0592 },
    species: ['Fe', 'Fe[2+]', 'Fe[3+]'].map((formula) => ({
      formula,
      phase: 'ion',
      kind: 'measured',
      source: '',
    })),
    regions: [region(0, 10, -0.2), region(1, -2, -1.5), region(2, 2, 0.5)],
    compound: null,
    missing: { ions: [], references: [], solids: [] },
    functional: 'PBE',
    release: null,
  } as unknown as Answer;
  const input = readPourbaix(new URLSearchParams());
  await renderInApp(
    <PourbaixResult
      result={result}
      input={input}
      sent={pourbaixRequest(input)}
      onReading={() => undefined}
      isStale={false}
    />,
  );
  const table = screen.getByRole('table', { name: 'Regions' });
  const user = userEvent.setup();
  const column = async (name: RegExp) => {
    await user.click(within(table).getAllByRole('button', { name })[0]!);
    return within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelector('td')!.textContent);
  };
  expect(await column(/pH/)).toEqual(['Fe²⁺', 'Fe³⁺', 'Fe']);
  expect(await column(/V/)).toEqual(['Fe²⁺', 'Fe', 'Fe³⁺']);
});

it.each([
  [11, /Every balance is a combination of those listed/],
  [12, /At most 12 are listed; there may be others/],
])('%d listed balances are called all of them only if the list was not cut', async (count, sentence) => {
  const balance = (index: number) => ({
    equation: `${index + 2} C + O2 → CO`,
    coefficients: [],
    measured: null,
    computed: null,
  });
  const result = {
    species: [],
    temperature: 298.15,
    independent: 6,
    balances: Array.from({ length: count }, (_, index) => balance(index)),
    functional: 'PBE',
    release: null,
  } as unknown as Reaction;
  const sent = pourbaixRequest(readPourbaix(new URLSearchParams()));
  await renderInApp(
    <ReactionResult
      result={result}
      sent={sent}
      scale={null}
      shown={0}
      onShow={() => undefined}
      isStale={false}
    />,
  );
  expect(screen.getByText(sentence)).toBeTruthy();
});

it('a temperature beyond the tables is refused beside its box', async () => {
  await renderInApp(<ReactionPage />, { path: '/reaction?from=CaCO3&to=CaO,CO2' });
  const user = userEvent.setup();
  const box = screen.getByLabelText('Temperature (K)');
  await user.clear(box);
  await user.type(box, '50000');
  expect(screen.getByText('0 to 3000 K')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Calculate' }).disabled).toBe(true);
});

it('a line of the Ellingham diagram opens its reaction on the same energy scale', () => {
  const address = reactionAddress('2 Mg + O2 → 2 MgO', 1273, 'r2SCAN');
  expect([...new URLSearchParams(address.slice(address.indexOf('?')))]).toEqual([
    ['from', 'Mg,O2'],
    ['to', 'MgO'],
    ['T', '1273'],
    ['scale', 'r2SCAN'],
  ]);
  expect(reactionAddress('2 Mg + O2 → 2 MgO', 1273, null)).not.toContain('scale');
});
