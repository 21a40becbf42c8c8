/**
 * CPU milliseconds of this process during `run`, at least: where they are above `limit`, of the quickest of three runs. What is
 * compiled or collected meanwhile is not the work's doing; work that is too much is so every time.
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
