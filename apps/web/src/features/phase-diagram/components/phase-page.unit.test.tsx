import { getChemicalPotentials, phaseDiagramHandle, placeCompound } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link, useLocation } from 'react-router-dom';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { Page } from './phase-page.tsx';

function Address() {
  return <output>{useLocation().search}</output>;
}

const site = (): unknown[] =>
  serve({
    [phaseDiagramHandle.path]: examples['phaseDiagramHandle']?.response as object,
    [placeCompound.path]: { ...(examples['placeCompound']?.response as object), formula: 'Li3O' },
  });

/** Opens the table with the numbers of the chart and returns its formulas. */
async function drawn(): Promise<readonly (string | null)[]> {
  const closed = await screen.findByRole('button', { name: /^Show the numbers of this chart/ });
  if (closed.getAttribute('aria-pressed') === 'false') await userEvent.click(closed);
  const rows = within(await screen.findByRole('table', { name: /^Numbers of the chart/ })).getAllByRole(
    'row',
  );
  return rows.map(({ children }) => children[1]?.textContent ?? null);
}

it('a compound placed by its plain energy is not drawn among Gibbs energies', async () => {
  site();
  await renderInApp(
    <>
      <Page />
      <Link to="/phase?q=Li+O&temperature=1000">hot</Link>
    </>,
    { path: '/phase?q=Li+O' },
  );
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Formula'), 'Li3O');
  await user.type(screen.getByLabelText('Energy (eV/atom)'), '-1');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await expect.poll(drawn).toContain('Li3O');
  await user.click(screen.getByRole('link', { name: 'hot' }));
  await expect.poll(drawn).not.toContain('Li3O');
});

it('a compound of the visitor is kept in the address', async () => {
  site();
  await renderInApp(
    <>
      <Page />
      <Address />
    </>,
    { path: '/phase?q=Li+O' },
  );
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Formula'), 'Li3O');
  await user.type(screen.getByLabelText('Energy (eV/atom)'), '-4.5');
  await user.selectOptions(screen.getByLabelText('Energy type'), 'total');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('?q=Li+O&own=Li3O&E=-4.5&kind=total')).toBeTruthy();
});

it('a shared address draws the compound that it names', async () => {
  const sent = site();
  await renderInApp(<Page />, { path: '/phase?q=Li+O&own=Li3O&E=-4.5&kind=total' });
  await expect.poll(drawn).toContain('Li3O');
  expect(sent).toContainEqual(
    expect.objectContaining({ formula: 'Li3O', energy_per_atom: -4.5, energy_kind: 'total' }),
  );
  expect(screen.getByLabelText<HTMLInputElement>('Energy (eV/atom)').value).toBe('-4.5');
});

it('a shared address shows the reason if the server refuses its compound', async () => {
  const refusal = { error: 'true', message: 'Xx2 is no formula', code: 'phase.bad-component' };
  serve({
    [phaseDiagramHandle.path]: examples['phaseDiagramHandle']?.response as object,
    [placeCompound.path]: refusal,
  });
  await renderInApp(<Page />, { path: '/phase?q=Li+O&own=Xx2&E=-1' });
  expect(await screen.findByText('Xx2 is no formula')).toBeTruthy();
});

it('axes, gas and fixed potential of chemical potentials are kept in the address', async () => {
  serve({
    [phaseDiagramHandle.path]: examples['phaseDiagramHandle']?.response as object,
    [getChemicalPotentials.path]: {
      ...(examples['getChemicalPotentials']?.response as object),
      elements: ['Li', 'Fe', 'P', 'O'],
      compound: { formula: 'LiFePO4', id: 1, amounts: [1, 1, 1, 4], formation_energy: -20 },
      // Each corner has the formation energy: -1 - 2 - 5 - 4 * 3 = -20.
      corners: [
        { potentials: [-1, -2, -5, -3], limits: [0] },
        { potentials: [-2, -2, -4, -3], limits: [0] },
        { potentials: [-2, -1, -5, -3], limits: [1] },
        { potentials: [-1, -2, -1, -4], limits: [1] },
      ],
    },
  });
  await renderInApp(
    <>
      <Page />
      <Address />
    </>,
    { path: '/phase?q=Li+O&compound=LiFePO4&axes=Fe,O&held=P,-4.5&mark=none' },
  );
  const axes = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Axes' });
  expect(axes.value).toBe('Fe,O');
  const slider = screen.getByRole('slider', { name: /P/ });
  expect(slider.getAttribute('aria-valuenow')).toBe('-4.5');
  const gas = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Mark a gas' });
  expect(gas.selectedOptions[0]?.text).toBe('none');
  const user = userEvent.setup();
  slider.focus();
  await user.keyboard('{ArrowRight}');
  expect(await screen.findByText(/held=P,-4.48&mark=none$/)).toBeTruthy();
  await user.selectOptions(axes, 'Li,O');
  expect(await screen.findByText(/compound=LiFePO4&axes=Li,O&mark=none$/)).toBeTruthy();
});
