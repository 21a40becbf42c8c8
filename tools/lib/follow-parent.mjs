/** Preloaded into every child: if the launcher is killed, the channel to it closes and the child stops. */
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
