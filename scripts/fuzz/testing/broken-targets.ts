/** Targets with known faults, to see that each is told as what it is. */
import type { Target } from '../target.ts';

/** Follows inputs 0, 1, 2 …: each target counts for itself. */
function counted(follow: (index: number) => void): Target {
  let next = 0;
  return {
    make: (random) => random(),
    follow: () => {
      follow(next++);
      return 'accepted';
    },
  };
}

export const TARGETS: Readonly<Record<string, Target>> = {
  'crashes-at-2': counted((index) => {
    if (index === 2) throw new TypeError('not a refusal');
  }),
  'hangs-above-0.9': {
    make: (random) => random(),
    follow: (input) => {
      for (; Number(input) > 0.9; );
      return 'refused';
    },
  },
};
