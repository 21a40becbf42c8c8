import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { GasConditions } from './gas-conditions.tsx';
import type { OpenGasState } from './open-gas-state.ts';

it('a decimal comma in the pressure of a gas is accepted, and a pressure of zero is not', async () => {
  const onChange = vi.fn<(open: OpenGasState) => void>();
  const open = { gas: 'O2', temperature: 1073, pressure: 1, second: null } as const;
  await renderInApp(<GasConditions open={open} onChange={onChange} />);
  const user = userEvent.setup();
  const [, pressure] = screen.getAllByRole('textbox');
  await user.clear(pressure!);
  await user.type(pressure!, '0{Enter}');
  expect(onChange).not.toHaveBeenCalled();
  await user.type(pressure!, ',21{Enter}');
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ ...open, pressure: 0.21 });
});
