import { describe, expect, it } from 'vitest';
import { positionsOf } from './series.ts';

describe('positions of the scans of a series', () => {
  it.each([
    [
      ['scan_25C.xrdml', 'scan_100C.xrdml', 'scan_50C.xrdml'],
      [25, 100, 50],
    ],
    [
      ['a1_300K_2.5min.xy', 'a1_300K_10min.xy'],
      [2.5, 10],
    ],
    [
      ['run7_-20.xy', 'run7_20.xy'],
      [-20, 20],
    ],
    [
      ['LaB6_run_3.raw', 'LaB6_run_4.raw'],
      [3, 4],
    ],
    [
      ['first.xy', 'second.xy'],
      [1, 2],
    ],
    [
      ['a5.xy', 'b5.xy'],
      [1, 2],
    ],
  ])('%j are %j', (names, positions) => {
    expect(positionsOf(names)).toEqual(positions);
  });
});
