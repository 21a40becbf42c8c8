/** The work, done again for whoever asks: never twice at once, and once more when it was asked for meanwhile. */
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
