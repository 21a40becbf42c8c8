// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { readPourbaix } from '../pourbaix-address.ts';
import { reactionAddress } from './ellingham-result.tsx';
import { PourbaixOptions } from './pourbaix-page.tsx';

beforeEach(() => {
  // happy-dom has no `document.fonts`, which autosizing text fields wait for.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
});
afterEach(cleanup);

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
    ['c(Fe) (mol/l)', '0.01'],
  ] as const) {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), `${text}{Enter}`);
  }
  expect(screen.getByTestId('asked').textContent).toBe('0.001 0.01');
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
