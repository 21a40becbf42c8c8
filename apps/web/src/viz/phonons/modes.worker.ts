/** Solves the phonon modes of wave vectors off the main thread: first the force constants arrive, then each wave vector. */
import { fromPymatgenDict } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import { modeMotions } from '@unitcell/potential';
import type { SolvablePhonons } from './use-modes.ts';

let modesAt: ReturnType<typeof modeMotions> | undefined;

self.addEventListener('message', ({ data }: MessageEvent<SolvablePhonons | Vec3>) => {
  if ('constants' in data) {
    const { structure, constants } = data;
    modesAt = modeMotions({
      ...constants,
      structure: fromPymatgenDict(structure),
      values: Float64Array.from(constants.values),
    });
  }
  // A worker has no target origin; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  else self.postMessage(modesAt?.(data));
});
