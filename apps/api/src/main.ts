/** The API process. */
import { buildApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLog } from './plugins/log.ts';
import { runUntilStopped } from './plugins/run-until-stopped.ts';

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, 'api');
  const app = await buildApp({ config, log });
  await app.listen({ host: config.host, port: config.port });
  log.info({ host: config.host, port: config.port }, 'api listening');
  runUntilStopped(log, () => app.close());
} catch (error) {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `${String((error as Error).stack ?? error)}\n`,
  );
  process.exitCode = 1;
}
