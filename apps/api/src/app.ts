/** The composition root: what the API is made of, and nothing about ports or processes. */
import fastifyHelmet from '@fastify/helmet';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { type Config, deriveKey } from './config.ts';
import { accountRepository } from './features/account/account.repository.ts';
import { accountRoutes } from './features/account/account.routes.ts';
import { login } from './features/account/login.service.ts';
import { sessions } from './features/account/sessions.service.ts';
import { smsCodes } from './features/account/sms-codes.service.ts';
import { consoleSmsProvider } from './features/account/sms/console-sms-provider.ts';
import type { SmsProvider } from './features/account/sms/sms-provider.ts';
import { aboutRepository } from './features/about/about.repository.ts';
import { aboutRoutes } from './features/about/about.routes.ts';
import { about } from './features/about/about.service.ts';
import { healthRoutes } from './features/health/health.routes.ts';
import { cellsRepository } from './features/matdata/cells.repository.ts';
import { crystalViewsRoutes } from './features/matdata/crystal-views.routes.ts';
import { crystalViews } from './features/matdata/crystal-views.service.ts';
import { detailRepository } from './features/matdata/detail.repository.ts';
import { detailRoutes } from './features/matdata/detail.routes.ts';
import { detail } from './features/matdata/detail.service.ts';
import { searchRepository } from './features/matdata/search.repository.ts';
import { searchRoutes } from './features/matdata/search.routes.ts';
import { search } from './features/matdata/search.service.ts';
import { topologyRepository } from './features/topology/topology.repository.ts';
import { topologyRoutes } from './features/topology/topology.routes.ts';
import { registerAuth } from './plugins/auth.ts';
import { openDatabase } from './plugins/database.ts';
import { registerErrors } from './plugins/errors.ts';
import { CONTENT_SECURITY_POLICY } from './plugins/security-headers.ts';
import { registerStaticWeb } from './plugins/static-web.ts';
import { openThreadPool } from './threads/thread-pool.ts';

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Replaces the provider the configuration names: tests read their codes here. */
  readonly smsProvider?: SmsProvider;
}

const REQUEST_TIMEOUT_MILLISECONDS = 60_000;

/** Builds the API. Call `close()` on it to release everything it opened. */
export async function buildApp({ config, log, smsProvider }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    trustProxy: (_address: string, hop: number) => hop < config.trustedProxies,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  registerErrors(app);
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    strictTransportSecurity: false,
  });

  const database = openDatabase(config, (error) => log.error({ err: error }, 'database connection lost'));
  const tokens = sessions({
    database,
    databaseUrl: config.databaseUrl,
    signingKey: deriveKey(config, 'session'),
    onError: (error) => log.error({ err: error }, 'revocation listener lost'),
  });
  await tokens.start();
  const crystalThreads = openThreadPool('crystal');
  app.addHook('onClose', async () => {
    await crystalThreads.close();
    await tokens.close();
    await database.close();
  });
  registerAuth(app, (token) => tokens.verify(token));

  const accounts = accountRepository(database);
  const codes = smsCodes({
    database,
    provider: smsProvider ?? consoleSmsProvider((line) => process.stdout.write(`${line}\n`)),
    hashKey: deriveKey(config, 'sms-code'),
  });
  accountRoutes(app, { accounts, login: login({ database, accounts, codes, sessions: tokens }) });
  searchRoutes(app, search(searchRepository(database)));
  detailRoutes(app, detail(detailRepository(database)));
  crystalViewsRoutes(app, crystalViews({ cells: cellsRepository(database), threads: crystalThreads }));
  topologyRoutes(app, topologyRepository(database));
  aboutRoutes(app, about(aboutRepository(database)));
  healthRoutes(app, database);
  await registerStaticWeb(app, config.webDist);
  return app;
}
