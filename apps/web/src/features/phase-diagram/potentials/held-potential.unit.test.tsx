import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { HeldPotential } from './potentials-section.tsx';

it('the slider covers the range of the region, and is replaced by text if its ends are equal', async () => {
  const chosen: number[] = [];
  const onChange = (value: number) => void chosen.push(value);
  await renderInApp(
    <HeldPotential element="P" range={{ min: -6, max: -2 }} value={-4} onChange={onChange} />,
  );
  const thumb = screen.getByRole('slider');
  expect(['min', 'max', 'now'].map((end) => thumb.getAttribute(`aria-value${end}`))).toEqual([
    '-6',
    '-2',
    '-4',
  ]);
  fireEvent.keyDown(thumb, { key: 'ArrowRight' });
  expect(chosen).toEqual([expect.closeTo(-3.98, 9)]);
  cleanup();
  await renderInApp(
    <HeldPotential element="P" range={{ min: -4, max: -4 }} value={-4} onChange={onChange} />,
  );
  expect(screen.queryByRole('slider')).toBeNull();
  expect(screen.getByText('−4.00 eV/atom')).toBeTruthy();
});
