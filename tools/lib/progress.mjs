/** Progress of the start: one line per step, with its duration. Goes to stderr; stdout is for results. */

/** @param {unknown} result of a step */
function noteOf(result) {
  const note = typeof result === 'object' && result && 'note' in result ? result.note : result;
  return typeof note === 'string' ? `, ${note}` : '';
}

/** @param {number} ms */
const seconds = (ms) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`);

/**
 * @param {{ write?: (text: string) => void, quiet?: boolean, slowMs?: number, onStep?: () => void }}
 * [options]
 *   `onStep` may throw before a step begins, to stop the sequence; quiet: report only steps that
 *   take longer than `slowMs`, so that a warm command prints nothing but its result.
 */
export function createProgress({
  write = (text) => void process.stderr.write(text),
  quiet = false,
  slowMs = 1500,
  onStep,
} = {}) {
  /**
   * Runs one step. If the work returns a short note ('up to date'), or a result with a note, it is printed
   * beside the duration.
   * @template T
   * @param {string} title
   * @param {() => Promise<T>} work
   */
  async function step(title, work) {
    onStep?.();
    const begun = performance.now();
    let isAnnounced = false;
    const announce = () => {
      isAnnounced = true;
      write(`  …  ${title}\n`);
    };
    const timer = setTimeout(announce, slowMs);
    try {
      const result = await work();
      const ms = performance.now() - begun;
      if (!quiet || isAnnounced) write(`  ✓  ${title} (${seconds(ms)}${noteOf(result)})\n`);
      return result;
    } catch (error) {
      write(`  ✗  ${title} (${seconds(performance.now() - begun)})\n`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return { step, say: (/** @type {string} */ text) => write(`${text}\n`), seconds };
}
