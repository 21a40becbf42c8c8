/** Worker thread functions used only by tests. They import nothing, so that a thread starts quickly. */

/** Never ends, and counts its iterations in the first element. */
export function spin(rounds: Int32Array): never {
  for (;;) Atomics.add(rounds, 0, 1);
}

export const double = (value: number): number => 2 * value;

export function exhaustMemory(_of: null): number {
  const eaten: number[][] = [];
  for (;;) eaten.push(Array.from({ length: 100_000 }, (_, i) => i + eaten.length));
}
