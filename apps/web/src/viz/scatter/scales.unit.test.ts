import { describe, expect, it } from 'vitest';
import { ticksFromZero, ticksOf } from './scales.ts';

describe('ticksOf', () => {
  it('are round and inside', () => {
    expect(ticksOf({ from: -0.1, to: 1.05 })).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });
});

describe('ticksFromZero', () => {
  it.each([
    [
      [-3.51, -3.32],
      [-4, -2, 0],
    ],
    [
      [0, 0.4],
      [0, 0.2, 0.4],
    ],
    [
      [92, 101, 48, 57],
      [0, 50, 100, 150],
    ],
    [
      [-0.6, 0.6],
      [-1, -0.5, 0, 0.5, 1],
    ],
    [
      [0, 0],
      [0, 0.5, 1],
    ],
  ])('of %j are %j: zero and all of them lie between the ends', (values, ticks) => {
    expect(ticksFromZero(values)).toEqual(ticks);
  });
});
