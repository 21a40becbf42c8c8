import { phaseDiagramHandle, placeCompound } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import type { PlacedCompound } from '@unitcell/contract/phase-diagram';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { Page } from './phase-page.tsx';

vi.mock('./phase-diagram-view.tsx', () => ({
  PhaseDiagramView: ({ placed }: { readonly placed: PlacedCompound | null }) => (
    <p>drawn with {placed?.formula ?? 'nothing'} placed</p>
  ),
}));

it('a compound placed by its plain energy is not drawn among Gibbs energies', async () => {
  serve({
    [phaseDiagramHandle.path]: examples['phaseDiagramHandle']?.response as object,
    [placeCompound.path]: { ...(examples['placeCompound']?.response as object), formula: 'Li3O' },
  });
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
