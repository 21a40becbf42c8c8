import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { readReaction, type ReactionQuery } from '../view-model.ts';
import { Conditions, Page } from './interface-page.tsx';

// Answers of the server never arrive.
beforeEach(() => void vi.stubGlobal('fetch', () => new Promise<Response>(() => undefined)));
async function openTo(openElement: string) {
  const changes: Partial<ReactionQuery>[] = [];
  await renderInApp(
    <Conditions
      query={{ ...readReaction(new URLSearchParams()), openElement }}
      onChange={(change) => changes.push(change)}
    />,
  );
  return { list: screen.getByRole<HTMLSelectElement>('combobox', { name: 'Open to' }), changes };
}

it.each(['', 'Li', 'Xx', 'li'])('the form shows the open element from the address: “%s”', async (element) => {
  const { list } = await openTo(element);
  expect(list.selectedOptions[0]?.text).toBe(element === '' ? 'closed system' : element);
});

it('the form opens the interface to an element at the potential of the pure element, and closes the interface again', async () => {
  const { list, changes } = await openTo('Li');
  await userEvent.selectOptions(list, 'O');
  await userEvent.selectOptions(list, 'closed system');
  expect(changes).toEqual([
    { openElement: 'O', chemicalPotential: 0 },
    { openElement: '', chemicalPotential: 0 },
  ]);
});

function Opened() {
  const [query, setQuery] = useState<ReactionQuery>({
    ...readReaction(new URLSearchParams()),
    openElement: 'Li',
  });
  return <Conditions query={query} onChange={(change) => setQuery({ ...query, ...change })} />;
}

it('the chemical potential can be moved step by step with the keyboard', async () => {
  await renderInApp(<Opened />);
  const thumb = screen.getByRole('slider', { name: 'Chemical potential of Li' });
  thumb.focus();
  await userEvent.setup().keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  expect(thumb.getAttribute('aria-valuenow')).toBe('-0.03');
  expect(document.activeElement).toBe(thumb);
});

it('a partner for the reactant of the address is added under the same conditions', async () => {
  await renderInApp(<Page />, { path: '/Interface_reaction?a=142&open=O&mu=-0.5&scale=r2SCAN' });
  const address = screen.getByRole('link', { name: '+ Li' }).getAttribute('href')!;
  expect([...new URL(address, 'http://localhost').searchParams]).toEqual([
    ['a', '142'],
    ['b', 'Li'],
    ['open', 'O'],
    ['mu', '-0.5'],
    ['scale', 'r2SCAN'],
  ]);
});

it('a gas above the potential of the pure element is applied at the limit, and the page says so', async () => {
  const changes: Partial<ReactionQuery>[] = [];
  const query = { ...readReaction(new URLSearchParams()), openElement: 'N', temperature: 800 };
  await renderInApp(<Conditions query={query} onChange={(change) => changes.push(change)} />);
  const user = userEvent.setup();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Gas' }), 'NH3');
  const pressure = screen.getByRole('textbox', { name: 'Partial pressure (bar)' });
  await user.clear(pressure);
  await user.type(pressure, '1');
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  // The Gibbs energy of formation of NH3 at 800 K and 1 bar is 38.66 kJ/mol = 0.4007 eV (NIST-JANAF).
  await screen.findByText(/In this gas the potential of N is 0\.40\d\d eV above/);
  expect(changes).toEqual([{ openElement: 'N', chemicalPotential: 0 }]);
});
