/** Ends a process that could not start. What it had opened already, threads and a queue, would keep it alive. */

/** What the operator can mend is said without the trail of calls. */
export function whyNoStart(error: unknown): string {
  const { code, syscall, address, port, name, message, stack } = error as Partial<NodeJS.ErrnoException> & {
    readonly address?: string;
    readonly port?: number;
  };
  const place = `port ${port} of ${address}`;
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `Another program listens on ${place}: stop it, or set PORT (of a worker: WORKER_PORT) to another.`;
  if (syscall === 'listen' && code === 'EACCES')
    return `No permission to listen on ${place}: set PORT (of a worker: WORKER_PORT) to one above 1023.`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `This machine has no address ${address}: set HOST to 127.0.0.1 (this machine only) or 0.0.0.0 (every network).`;
  return name === 'ConfigError' ? String(message) : (stack ?? String(error));
}

export function cannotStart(error: unknown): never {
  process.stderr.write(`${whyNoStart(error)}\n`);
  process.exit(1);
}
