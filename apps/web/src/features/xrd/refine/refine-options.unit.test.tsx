import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { RefineOptions } from './refine-options.tsx';
import { useRefiner } from './use-refiner.ts';

function Options() {
  const refiner = useRefiner();
  return (
    <>
      <RefineOptions refiner={refiner} />
      <p data-testid="from">{refiner.settings.from}</p>
    </>
  );
}

it('a limit of the fitted range may have decimals', async () => {
  await renderInApp(<Options />);
  await userEvent.setup().type(screen.getByLabelText('From 2θ (°)'), '20.5');
  expect(screen.getByTestId('from').textContent).toBe('20.5');
});
