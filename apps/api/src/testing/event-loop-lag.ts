/**
 * Measures how long work blocks the event loop, in CPU time, so that other load on the machine does not
 * matter.
 */
import { readFileSync } from 'node:fs';

/** CPU usage of the current thread, which is available on every system since Node 22.19. */
const { threadCpuUsage } = process as { readonly threadCpuUsage?: () => NodeJS.CpuUsage };

/** CPU time of the main thread, ms: on Linux its thread id equals the process id. */
function cpuMilliseconds(): number {
  if (threadCpuUsage) {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  }
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** The largest CPU time of one turn of the event loop during `work`, ms. */
export async function longestEventLoopLag(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let before = cpuMilliseconds();
  const turn = () => {
    const now = cpuMilliseconds();
    longest = Math.max(longest, now - before);
    before = now;
    // Not in every turn: that would keep a processor busy.
    if (!isOver) setTimeout(turn, 1);
  };
  setTimeout(turn, 1);
  await work().finally(() => {
    isOver = true;
  });
  turn();
  return longest;
}
