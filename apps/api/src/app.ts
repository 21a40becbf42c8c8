/** The composition root: what the API is made of, and nothing about ports or processes. */
import fastifyHelmet from '@fastify/helmet';
import fastifyMultipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { aboutRepository } from './features/about/about.repository.ts';
import { aboutRoutes } from './features/about/about.routes.ts';
import { about } from './features/about/about.service.ts';
import { accountFeature } from './features/account/account.feature.ts';
import type { SmsProvider } from './features/account/sms/sms-provider.ts';
import { ecwindowFeature } from './features/ecwindow/ecwindow.feature.ts';
import { healthRoutes } from './features/health/health.routes.ts';
import { interfaceReactionFeature } from './features/interface-reaction/interface-reaction.feature.ts';
import { matdataFeature } from './features/matdata/matdata.feature.ts';
import { run4uFeature } from './features/run4u/run4u.feature.ts';
import { run4uMetrics } from './features/run4u/run4u-metrics.ts';
import { phaseDiagramFeature } from './features/phase-diagram/phase-diagram.feature.ts';
import { tightBindingFeature } from './features/tight-binding/tight-binding.feature.ts';
import { topologyRepository } from './features/topology/topology.repository.ts';
import { topologyRoutes } from './features/topology/topology.routes.ts';
import { siteConfigRoute } from './plugins/analytics.ts';
import { xrdFeature } from './features/xrd/xrd.feature.ts';
import { openCatalogueCaches } from './plugins/catalogue-cache.ts';
import { openDatabase } from './plugins/database.ts';
import { registerErrors } from './plugins/errors.ts';
import { phaseEntries } from './plugins/phase-entries.ts';
import { phaseEntriesRepository } from './plugins/phase-entries.repository.ts';
import { requestSerializer } from './plugins/log.ts';
import { metricsRoute, processMetrics, queueMetrics } from './plugins/metrics.ts';
import { openQueue } from './plugins/queue.ts';
import { contentSecurityPolicy } from './plugins/security-headers.ts';
import type { Services } from './plugins/services.ts';
import { registerStaticWeb } from './plugins/static-web.ts';
import { openThreadPool } from './threads/thread-pool.ts';

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Replaces the provider the configuration names: tests read their codes here. */
  readonly smsProvider?: SmsProvider;
}

const ONE_YEAR_SECONDS = 31_536_000;
const REQUEST_TIMEOUT_MILLISECONDS = 60_000;

/** Opens what the features share; the app closes it again. */
async function openServices(app: FastifyInstance, { config, log }: AppOptions): Promise<Services> {
  const database = openDatabase(config, (error) => log.error({ err: error }, 'database connection lost'));
  const queue = await openQueue(config, (error) => log.error({ err: error }, 'queue error'));
  const catalogueCaches = await openCatalogueCaches(config.databaseUrl, (error) =>
    log.error({ err: error }, 'catalogue listener lost'),
  );
  const crystalThreads = openThreadPool('crystal');
  const phaseThreads = openThreadPool('phase');
  app.addHook('onClose', async () => {
    await crystalThreads.close();
    await phaseThreads.close();
    await catalogueCaches.close();
    await queue.close();
    await database.close();
  });
  return {
    config,
    log,
    database,
    queue,
    catalogueCaches,
    crystalThreads,
    phaseThreads,
    phaseEntries: phaseEntries(phaseEntriesRepository(database), catalogueCaches, config.defaultFunctional),
  };
}

/** Builds the API. Call `close()` on it to release everything it opened. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, log, smsProvider } = options;
  const app = fastify({
    loggerInstance: log.child({}, { serializers: { req: requestSerializer } }),
    trustProxy: (_address: string, hop: number) => hop < config.trustedProxies,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  registerErrors(app);
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: contentSecurityPolicy(config.analytics),
    // Only an installation that is reached by https may demand it of browsers.
    strictTransportSecurity: config.publicUrl.startsWith('https:') ? { maxAge: ONE_YEAR_SECONDS } : false,
  });

  await app.register(fastifyMultipart, { limits: { files: 1, fields: 20, fieldSize: 4096 } });

  const services = await openServices(app, options);
  await accountFeature(app, services, smsProvider);
  matdataFeature(app, services);
  phaseDiagramFeature(app, services);
  ecwindowFeature(app, services);
  interfaceReactionFeature(app, services);
  await run4uFeature(app, services);
  xrdFeature(app, services);
  tightBindingFeature(app, services);
  topologyRoutes(app, topologyRepository(services.database));
  aboutRoutes(app, about(aboutRepository(services.database)));
  healthRoutes(app, services.database);
  siteConfigRoute(app, config.analytics);
  metricsRoute(app, {
    token: config.metricsToken,
    sources: [processMetrics, queueMetrics(services.queue), run4uMetrics(services.database)],
    log,
  });
  await registerStaticWeb(app, config.webDist);
  return app;
}
