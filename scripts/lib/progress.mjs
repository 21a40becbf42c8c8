/** Progress of the start: one line per step, with the time it took. Goes to stderr so that stdout stays for results. */

const seconds = (ms) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`);

/**
 * @param {{ write?: (text: string) => void, quiet?: boolean, slowMs?: number, onStep?: () => void }} [options]
 *   `onStep` may throw before a step begins, to stop the sequence; quiet: tell only steps that
 *   take longer than `slowMs`, so that a warm command prints nothing but its result.
 */
export function createProgress({
  write = (text) => process.stderr.write(text),
  quiet = false,
  slowMs = 1500,
  onStep,
} = {}) {
  const timings = [];

  /** Runs one step. The work may return a short note ('up to date'), which is printed beside the time. */
  async function step(title, work) {
    onStep?.();
    const begun = performance.now();
    let told = false;
    const announce = () => {
      told = true;
      write(`  …  ${title}\n`);
    };
    const timer = setTimeout(announce, slowMs);
    try {
      const note = await work();
      const ms = performance.now() - begun;
      timings.push({ title, ms });
      if (!quiet || told)
        write(`  ✓  ${title} (${seconds(ms)}${typeof note === 'string' ? `, ${note}` : ''})\n`);
    } catch (error) {
      write(`  ✗  ${title} (${seconds(performance.now() - begun)})\n`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return { step, timings, say: (text) => write(`${text}\n`), seconds };
}
