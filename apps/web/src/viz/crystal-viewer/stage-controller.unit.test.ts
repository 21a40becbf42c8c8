import { expect, it } from 'vitest';
import { Pace } from './stage-controller.ts';

/** Moves again directly after each frame; all frames take the same time. */
function turned(pace: Pace, frameMs: number, frames: number): void {
  for (let at = 0; at < frames; at++) {
    pace.ask(at * frameMs);
    pace.begin((at + 1) * frameMs);
  }
}

it.each([40, 400, 4000])('the viewer reduces the resolution step by step if frames take %i ms', (frameMs) => {
  const pace = new Pace(3);
  turned(pace, frameMs, 1);
  expect(pace.level).toBe(0);
  turned(pace, frameMs, 10);
  expect(pace.level).toBe(3);
});

it('the viewer keeps the resolution if frames are fast, whatever the pauses between moves', () => {
  const pace = new Pace(3);
  turned(pace, 16, 100);
  for (const pause of [200, 1000, 60_000]) {
    pace.ask(10_000 + pause);
    expect(pace.begin(10_016 + pause)).toBe(160);
  }
  expect(pace.level).toBe(-1);
});

it('several moves before one frame count as one wait', () => {
  const pace = new Pace(3);
  for (const now of [0, 10, 20, 30]) pace.ask(now);
  expect(pace.begin(300)).toBe(600);
  expect(pace.level).toBe(0);
});
