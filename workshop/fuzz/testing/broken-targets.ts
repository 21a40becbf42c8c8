/** Targets with known faults, to test that each is classified correctly. */
import fc from 'fast-check';
import type { Target } from '../target.ts';

/** CPU milliseconds; longer than the limit from which follow.ts reports an input as slow. */
const SLOW_MS = 600;

function work(): void {
  const before = process.cpuUsage();
  for (let ms = 0; ms <= SLOW_MS; ) {
    const { user, system } = process.cpuUsage(before);
    ms = (user + system) / 1000;
  }
}

const numbers = (follow: (input: number) => void): Target => ({
  inputs: fc.nat(1000),
  follow: (input) => {
    follow(Number(input));
    return 'accepted';
  },
});

let isLoaded = false;

export const TARGETS: Readonly<Record<string, Target>> = {
  'crashes-from-500': numbers((input) => {
    if (input >= 500) throw new TypeError('not a refusal');
  }),
  'slow-at-first': numbers(() => {
    if (!isLoaded) work();
    isLoaded = true;
  }),
  'always-slow': { ...numbers(work), inputs: fc.nat(1) },
  'hangs-from-500': numbers((input) => {
    if (input >= 500) for (;;) Math.random();
  }),
};
