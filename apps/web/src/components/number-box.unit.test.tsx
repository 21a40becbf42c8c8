import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { pasteNumber } from '../lib/paste-number.ts';
import { NumberBox } from './number-box.tsx';

/** Takes numbers from `least` to 5. */
function Reading({ start, least }: { readonly start: number; readonly least: number }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <NumberBox
        aria-label="Number"
        value={value}
        min={least}
        max={5}
        onPasteCapture={pasteNumber}
        onChange={(next) => next !== null && next >= least && next <= 5 && setValue(next)}
      />
      <button type="button" onClick={() => setValue(start)}>
        Back
      </button>
      <output>{value}</output>
    </>
  );
}

const open = async (start: number, least = 0) => {
  await renderInApp(<Reading start={start} least={least} />);
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Number' });
  const read = () => [box.value, screen.getByRole('status').textContent];
  return { user: userEvent.setup(), box, read };
};

it.each([
  ['4.25', '4.25'],
  ['0.05', '0.05'],
  ['1.50', '1.5'],
])('%s is accepted key by key while it is typed', async (text, number) => {
  const { user, box, read } = await open(3);
  await user.clear(box);
  await user.type(box, text);
  expect(read()).toEqual([text, number]);
});

it('a negative number keeps its sign, whatever was in the box before', async () => {
  const { user, box, read } = await open(1.2, -5);
  await user.clear(box);
  await user.type(box, '-0.5');
  expect(read()).toEqual(['-0.5', '-0.5']);
});

it.each([
  ['1,95', '1.95'],
  ['\u22121.95', '-1.95'],
  [' \u22121,95\n', '-1.95'],
  ['1.95', '1.95'],
])('pasted as %j, a number keeps its sign and its point', async (text, number) => {
  const { user, box, read } = await open(3, -5);
  await user.clear(box);
  await user.paste(text);
  expect(read()).toEqual([number, number]);
});

it('a digit after the point can be replaced', async () => {
  const { user, box, read } = await open(2.5);
  await user.type(box, '{Backspace}7');
  expect(read()).toEqual(['2.7', '2.7']);
});

it('after losing the focus, an empty box shows its number again, and a number out of range becomes the nearest limit', async () => {
  const { user, box, read } = await open(3);
  await user.clear(box);
  await user.tab();
  expect(read()).toEqual(['3', '3']);
  await user.type(box, '7');
  await user.tab();
  expect(read()).toEqual(['5', '5']);
});

it('a number from elsewhere replaces what was typed', async () => {
  const { user, box, read } = await open(3);
  await user.clear(box);
  await user.type(box, '4.0');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(read()).toEqual(['3', '3']);
});
