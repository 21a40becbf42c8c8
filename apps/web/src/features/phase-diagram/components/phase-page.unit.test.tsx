import { phaseDiagramHandle, placeCompound } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import type { PlacedCompound } from '@unitcell/contract/phase-diagram';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link, useLocation } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import type { UnstableChoice } from '../view-model.ts';
import { Page } from './phase-page.tsx';

interface ViewProps {
  readonly placed: PlacedCompound | null;
  readonly unstableChoice: UnstableChoice;
  readonly onUnstable: (choice: UnstableChoice) => void;
}

vi.mock('./phase-diagram-view.tsx', () => ({
  PhaseDiagramView: ({ placed, unstableChoice: { isShown, limit }, onUnstable }: ViewProps) => (
    <>
      <p>drawn with {placed?.formula ?? 'nothing'} placed</p>
      <button onClick={() => onUnstable({ isShown: true, limit: 0.05 })}>
        unstable: {String(isShown)} to {String(limit)}
      </button>
    </>
  ),
}));

function Address() {
  return <output>{useLocation().search}</output>;
}

const site = (): unknown[] =>
  serve({
    [phaseDiagramHandle.path]: examples['phaseDiagramHandle']?.response as object,
    [placeCompound.path]: { ...(examples['placeCompound']?.response as object), formula: 'Li3O' },
  });

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
  await screen.findByText('drawn with Li3O placed');
  await user.click(screen.getByRole('link', { name: 'hot' }));
  expect(await screen.findByText('drawn with nothing placed')).toBeTruthy();
});

it('a compound of the visitor and the choice of unstable phases are kept in the address', async () => {
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
  await user.click(await screen.findByText('unstable: null to null'));
  const address = '?q=Li+O&own=Li3O&E=-4.5&kind=total&unstable=1&above=0.05';
  expect(await screen.findByText(address)).toBeTruthy();
});

it('a shared address draws the compound and the unstable phases that it names', async () => {
  const sent = site();
  await renderInApp(<Page />, {
    path: '/phase?q=Li+O&own=Li3O&E=-4.5&kind=total&unstable=1&above=0.05',
  });
  expect(await screen.findByText('drawn with Li3O placed')).toBeTruthy();
  expect(screen.getByText('unstable: true to 0.05')).toBeTruthy();
  expect(sent).toContainEqual(
    expect.objectContaining({ formula: 'Li3O', energy_per_atom: -4.5, energy_kind: 'total' }),
  );
  expect(screen.getByLabelText<HTMLInputElement>('Energy (eV/atom)').value).toBe('-4.5');
});

it('a shared address with a compound that the server refuses says so', async () => {
  const refusal = { error: 'true', message: 'Xx2 is no formula', code: 'phase.bad-component' };
  serve({
    [phaseDiagramHandle.path]: examples['phaseDiagramHandle']?.response as object,
    [placeCompound.path]: refusal,
  });
  await renderInApp(<Page />, { path: '/phase?q=Li+O&own=Xx2&E=-1' });
  expect(await screen.findByText('Xx2 is no formula')).toBeTruthy();
  expect(screen.getByText('drawn with nothing placed')).toBeTruthy();
});
