import { screen } from '@testing-library/react';
import { examples } from '@unitcell/contract/examples';
import type { PhaseDiagramData, PlacedCompound } from '@unitcell/contract/phase-diagram';
import { phaseDiagramHandle } from '@unitcell/contract/calls';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import type { PlotTable } from '../../../viz/plot/plot-numbers.tsx';
import { PhaseDiagramView } from './phase-diagram-view.tsx';

vi.mock('../../../viz/plot/plot.tsx', () => ({
  Plot: ({ table }: { readonly table: () => PlotTable }) => <pre>{JSON.stringify(table())}</pre>,
}));

it('the numbers of the drawing include the compound of the visitor', async () => {
  const answer = examples['phaseDiagramHandle']?.response as PhaseDiagramData;
  const placed: PlacedCompound = {
    ...(examples['placeCompound']?.response as PlacedCompound),
    formula: 'Li3O',
    fEnergy: -1,
    eAboveHull: 0.4,
    decomposition: [
      { formula: 'Li2O', id: 121, fraction: 0.75 },
      { formula: 'Li', id: 1, fraction: 0.25 },
    ],
  };
  const sent = { call: phaseDiagramHandle, body: { include: 'Li O' } };
  await renderInApp(<PhaseDiagramView answer={answer} sent={sent} scale={null} placed={placed} />);
  const numbers = JSON.parse((await screen.findByText(/"rows"/)).textContent ?? '') as PlotTable;
  expect(numbers.rows.at(-1)).toEqual([false, 'Li3O', null, null, -1, 0.4, '0.750 Li2O + 0.250 Li']);
  expect(numbers.remarks).toContain('My compound: Li3O');
});
