/** The API process. */
import { buildApp } from './app.ts';
import { readConfig } from './config/config.ts';
import { createLog, exitOnStartupError, runUntilStopped } from './infra/process.ts';
import { startTracing } from './infra/tracing/tracing.ts';

/**
 * Size of the TCP backlog. The event loop accepts one connection per turn; clients beyond the backlog retry
 * only after seconds.
 */
const BACKLOG = 4096;

// Pictures, dumps and other files are for this user alone.
process.umask(0o077);

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, 'api');
  const tracing = await startTracing(config.telemetry, 'api', log);
  const app = await buildApp({ config, log, tracing });
  app.addHook('onClose', async () => tracing?.close());
  await app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  log.info({ host: config.host, port: config.port }, 'api listening');
  if (config.sms.provider === 'console' && config.publicUrl.startsWith('https:'))
    log.warn(
      'login codes are printed here (SMS_PROVIDER=console): anyone who can read this can sign in as any user',
    );
  runUntilStopped(log, () => app.close());
} catch (error) {
  exitOnStartupError(error);
}
