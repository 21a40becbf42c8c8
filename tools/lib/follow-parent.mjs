/**
 * Preloaded into every child of the launcher: when the launcher is killed without stopping its children, the
 * channel to it closes and the child stops as if asked to.
 */
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
