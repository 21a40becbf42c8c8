import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { VolumePanel } from './volume-panel.tsx';
import { volumeNumbers } from './volume-numbers.ts';

vi.mock('./volume-stage.tsx', () => ({
  VolumeStage: ({ name }: { readonly name: string }) => <p>{name}</p>,
}));
vi.mock('./slice.tsx', () => ({
  SlicePlot: ({ name }: { readonly name: string }) => <p>{name}</p>,
}));

it('pictures of the density and of the magnetisation of a file have different names', async () => {
  const values = Float32Array.from({ length: 8 }, (_, at) => at);
  const structure = {
    latticeVectors: [
      [2, 0, 0],
      [0, 2, 0],
      [0, 0, 2],
    ],
    sites: [],
  } as const;
  const numbers = volumeNumbers(values);
  await renderInApp(
    <VolumePanel
      opened={{
        volume: {
          structure,
          gridSizes: [2, 2, 2],
          values,
          secondSpin: values,
          quantity: 'charge-density',
        },
        numbers,
        secondNumbers: numbers,
      }}
      formula="Fe"
      name="7-volume"
    />,
  );
  expect(screen.getByText('7-volume-isosurface')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Magnetisation density/ }));
  expect(screen.getByText('7-volume-magnetization-isosurface')).toBeTruthy();
  expect(screen.getByText('7-volume-magnetization-slice')).toBeTruthy();
});
