import { MAX_PATTERN_BYTES } from '@unitcell/contract/xrd/rules';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { compare, ComparePart } from './compare-part.tsx';

const grid = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
const bell = (angle: number): number => 5 + 100 * Math.exp(-((angle - 30) ** 2));
const first = { x: grid(20, 40, 0.05), y: grid(20, 40, 0.05).map(bell) };

describe('the comparison of two patterns', () => {
  it('finds the scale between patterns with different steps, and then no difference remains', () => {
    const x = grid(25, 50, 0.02);
    const found = compare(first, { x, y: x.map((angle) => 4 * bell(angle)) }, null);
    expect(found?.scale).toBeCloseTo(0.25, 4);
    expect(found?.x[0]).toBeCloseTo(25, 9);
    expect(found?.x.at(-1)).toBe(40);
    expect(found?.residual).toBeLessThan(1e-3);
  });

  it('keeps a given scale, and shows the remaining difference', () => {
    const found = compare(first, { x: first.x, y: first.y.map((value) => 2 * value) }, 1);
    expect(found?.difference).toEqual(first.y.map((value) => -value));
    expect(found?.residual).toBeCloseTo(1, 12);
  });

  it('is null for ranges that do not overlap', () => {
    expect(compare(first, { x: [50, 60], y: [1, 2] }, null)).toBeNull();
  });
});

it('a second pattern that is too large is refused for its size', async () => {
  const data = { x: [10, 11], y: [1, 2] };
  const { container } = await renderInApp(
    <ComparePart data={data as never} name="first.xy" radiation={undefined} />,
  );
  const file = new File(['1 2\n'.repeat(MAX_PATTERN_BYTES / 4 + 1)], 'second.xy');
  await userEvent.setup().upload(container.querySelector<HTMLInputElement>('input[type="file"]')!, file);
  expect(await screen.findByText('second.xy is larger than 2 MB.')).toBeTruthy();
});
