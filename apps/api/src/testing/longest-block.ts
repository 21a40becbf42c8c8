/** How long work keeps the event loop from everything else, in time of its own: what else the machine does has no part in it. */
import { readFileSync } from 'node:fs';

/** Node 22.19 and newer have it, on every system. */
const { threadCpuUsage } = process as { readonly threadCpuUsage?: () => NodeJS.CpuUsage };

/** CPU time of the main thread so far, ms: on Linux its id is that of the process. */
function cpuMilliseconds(): number {
  if (threadCpuUsage) {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  }
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** The most CPU time that one turn of the event loop took during `work`, ms. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let before = cpuMilliseconds();
  const turn = () => {
    const now = cpuMilliseconds();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => {
    isOver = true;
  });
  turn();
  return longest;
}
