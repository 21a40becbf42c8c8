/**
 * Preloaded into every child of the launcher: when the launcher disappears without stopping its children (it was killed), the
 * channel to it closes and the child stops as if asked to.
 */
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
