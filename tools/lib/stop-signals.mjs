const PARENT_POLL_MS = 500;

/**
 * Calls back once when this process should stop: on Ctrl-C, SIGTERM, a closed terminal, or when the npm that
 * started it was killed (npm passes on only some signals, and none when it is killed itself).
 * @param {() => void} callback
 */
export function onStopRequested(callback) {
  let requested = false;
  const request = () => {
    if (requested) return;
    requested = true;
    clearInterval(watch);
    callback();
  };
  const parent = process.ppid;
  const watch = process.env.npm_lifecycle_event
    ? setInterval(() => process.ppid !== parent && request(), PARENT_POLL_MS).unref()
    : undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, request);
}
