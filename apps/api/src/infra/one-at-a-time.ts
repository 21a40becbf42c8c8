/** Serialises calls of `work`: never two at once, and one more run if it was called meanwhile. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async (): Promise<void> => {
    isDue = isRunning;
    if (isRunning) return;
    isRunning = true;
    await work().finally(() => {
      isRunning = false;
    });
    if (isDue) await run();
  };
  return () => void run();
}
