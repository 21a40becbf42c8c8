/** Targets with known faults, to see that each is told as what it is. */
import { SLOW_MS } from '../slow-ms.ts';
import type { Target } from '../target.ts';

/** Keeps the processor for as long as makes an input slow. */
function work(): void {
  const before = process.cpuUsage();
  for (let ms = 0; ms <= SLOW_MS; ) {
    const { user, system } = process.cpuUsage(before);
    ms = (user + system) / 1000;
  }
}

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
  'loads-at-1': counted((index) => {
    if (index === 1) work();
  }),
  'slow-from-2': counted((index) => {
    if (index >= 2) work();
  }),
  'hangs-above-0.9': {
    make: (random) => random(),
    follow: (input) => {
      for (; Number(input) > 0.9; );
      return 'refused';
    },
  },
};
