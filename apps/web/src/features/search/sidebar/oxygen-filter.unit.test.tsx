import { zeroOfScale } from '@unitcell/contract/phase-diagram/rules';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { withOxygen } from '../../../components/filter/conditions.ts';
import { renderInApp } from '../../../testing/render.tsx';
import { OxygenFilter } from './oxygen-filter.tsx';

/** Potentials of oxygen in eV per O; the second is that of a hotter furnace. */
const [MILD, HOT] = [-1, -1.6] as const;

function Search({ start }: { readonly start: number }) {
  const [conditions, setConditions] = useState(() => withOxygen([], start));
  return (
    <>
      <OxygenFilter
        conditions={conditions}
        onConditions={setConditions}
        zero={zeroOfScale('PBE (MP 2018)')}
      />
      <button type="button" onClick={() => setConditions(withOxygen([], HOT))}>
        Back
      </button>
    </>
  );
}

it('the message names the highest temperature that is taken, in whole degrees', async () => {
  await renderInApp(<Search start={MILD} />);
  const user = userEvent.setup();
  const type = async (text: string): Promise<void> => {
    await user.clear(celsius());
    await user.type(celsius(), text);
  };
  await type('9999');
  const [, max] = /to (\d+) °C/.exec(screen.getByRole('status').textContent)!;
  await type(max!);
  expect(screen.getByRole('status').textContent).toContain('μ(O)');
  await type(String(Number(max) + 1));
  expect(screen.getByRole('status').textContent).not.toContain('μ(O)');
});

const celsius = () => screen.getByLabelText<HTMLInputElement>('Temperature (°C)');

it('the temperature follows a potential that is set elsewhere, but does not change while it is typed', async () => {
  await renderInApp(<Search start={HOT} />);
  const hot = celsius().value;
  cleanup();
  await renderInApp(<Search start={MILD} />);
  expect(Number(celsius().value)).toBeLessThan(Number(hot));
  const user = userEvent.setup();
  await user.clear(celsius());
  await user.type(celsius(), '612.5');
  expect(celsius().value).toBe('612.5');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(celsius().value).toBe(hot);
});
