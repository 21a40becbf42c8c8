/** A stream of pseudo-random numbers in [0, 1). */
export type RandomSource = () => number;

/**
 * A stream of uniform numbers in [0, 1) that depends on `seed` alone (mulberry32: 32 bits of state, period 2³²).
 * For test inputs, jitter and starting guesses; never for secrets.
 * @param seed any number; its 32-bit integer part is used
 * @example
 * const random = seededRandom(7);
 * const point = [random(), random(), random()];
 */
export function seededRandom(seed: number): RandomSource {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
