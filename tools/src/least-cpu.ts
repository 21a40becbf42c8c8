/**
 * CPU milliseconds of this process during `run`; if above `limit`, the smallest of three runs. Compilation
 * and garbage collection disturb single runs, but work that is too slow is slow every time.
 */
export function leastCpuMs(run: () => unknown, limit: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least >= limit; round++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
