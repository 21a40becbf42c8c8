/** The composition root: assembles the API, but opens no port. The process is in main.ts. */
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { constants } from 'node:zlib';
import fastifyCompress, { type FastifyCompressOptions } from '@fastify/compress';
import fastifyMultipart from '@fastify/multipart';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { refusalOf } from './domain/refusals.ts';
import { openServices, type Services, type ServicesOptions } from './domain/services.ts';
import { aboutFeature } from './features/about/about.feature.ts';
import { accountFeature } from './features/account/account.feature.ts';
import { smsMetrics } from './features/account/sms-codes.ts';
import { coatingsFeature } from './features/coatings/coatings.feature.ts';
import { collectionsFeature } from './features/collections/collections.feature.ts';
import { designFeature } from './features/design/design.feature.ts';
import { ecwindowFeature } from './features/ecwindow/ecwindow.feature.ts';
import { electrodesFeature } from './features/electrodes/electrodes.feature.ts';
import { interfaceReactionFeature } from './features/interface-reaction/interface-reaction.feature.ts';
import { crystalViewsRoutes } from './features/matdata/crystal-views.ts';
import { detailRoutes } from './features/matdata/detail.ts';
import { embedRoutes, pageHead } from './features/matdata/embed.ts';
import { filesRoutes } from './features/matdata/files.ts';
import { phononsRoutes } from './features/matdata/phonons.ts';
import { relatedRoutes } from './features/matdata/related.ts';
import { reportsRoutes } from './features/matdata/reports.ts';
import { searchRoutes } from './features/matdata/search.ts';
import { operateFeature } from './features/operate/operate.feature.ts';
import { optimadeFeature } from './features/optimade/optimade.feature.ts';
import { phaseDiagramFeature } from './features/phase-diagram/phase-diagram.feature.ts';
import { predictionFeature } from './features/prediction/prediction.feature.ts';
import { releasesFeature } from './features/releases/releases.feature.ts';
import { run4uMetrics, run4uFeature } from './features/run4u/run4u.feature.ts';
import { screenFeature } from './features/screen/screen.feature.ts';
import { ellinghamRoute } from './features/stability/ellingham.ts';
import { pourbaixRoute } from './features/stability/pourbaix.ts';
import { reactionRoute } from './features/stability/reaction.ts';
import { tightBindingFeature } from './features/tight-binding/tight-binding.feature.ts';
import { topologyFeature } from './features/topology/topology.feature.ts';
import { xrdFeature } from './features/xrd/xrd.feature.ts';
import { registerBudgets } from './http/budgets.ts';
import { answerUnroutable, registerErrors, registerWrongMethods, withoutAjv } from './http/errors.ts';
import { healthRoutes } from './http/health.ts';
import { metricsRoute } from './http/metrics.ts';
import { giveUpOnSlowReaders, registerLoadShedding } from './http/shed-load.ts';
import {
  contentSecurityPolicy,
  openApiRoutes,
  registerStaticWeb,
  securityTxtRoute,
  siteConfigRoutes,
} from './http/site.routes.ts';
import { traceRequests } from './http/trace-requests.ts';
import { requestId, requestSerializer } from './infra/process.ts';

/** The features in order of registration. Add a new feature here. */
type Feature = (app: FastifyInstance, services: Services) => void | Promise<void>;

/** The routes that concern a single material. */
function materialFeature(app: FastifyInstance, services: Services): void {
  const detailOf = detailRoutes(app, services);
  relatedRoutes(app, services.database);
  embedRoutes(app, services, detailOf);
  reportsRoutes(app, services.database);
  filesRoutes(app, detailOf, crystalViewsRoutes(app, services), phononsRoutes(app, services));
}

const FEATURES: readonly Feature[] = [
  // Registered first because the other features use the authentication it adds.
  accountFeature,
  searchRoutes,
  materialFeature,
  screenFeature,
  collectionsFeature,
  phaseDiagramFeature,
  ecwindowFeature,
  electrodesFeature,
  interfaceReactionFeature,
  coatingsFeature,
  reactionRoute,
  ellinghamRoute,
  pourbaixRoute,
  run4uFeature,
  xrdFeature,
  predictionFeature,
  designFeature,
  tightBindingFeature,
  topologyFeature,
  aboutFeature,
  optimadeFeature,
  releasesFeature,
  operateFeature,
];

const ONE_YEAR_SECONDS = 31_536_000;
const REQUEST_TIMEOUT_MILLISECONDS = 60_000;

/**
 * Answers above 1 kB are compressed. Smaller answers are not: they may consist of a token only, and their
 * compressed length could reveal it. Brotli's default level makes answers a fifth smaller than level 4 but
 * takes 80 times as long. Request bodies are never decompressed.
 */
const COMPRESSION = {
  threshold: 1024,
  customTypes: /^text\/(?!event-stream)|^chemical\/|\+json|\+xml|^application\/(json|javascript|xml)/,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  zlibOptions: { level: 4 },
  globalDecompression: false,
} satisfies FastifyCompressOptions;

/** Logs one line when a request ends. By default Fastify also logs one when the request arrives. */
class OneLinePerRequest extends LogController {
  private readonly lines: Logger;

  constructor(log: Logger) {
    super();
    // Nothing in this line can be a secret. Looking for secrets took a tenth of the time of a short call.
    this.lines = log.child({}, { redact: [] });
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const line = { res: { statusCode: reply.statusCode }, responseTime: reply.elapsedTime };
    if (error) return request.log.error({ req: request, ...line, err: error }, 'request errored');
    const { id: reqId, traceId } = request;
    this.lines.info({ reqId, traceId, req: requestSerializer(request), ...line }, 'request completed');
  }
}

/**
 * Helmet's headers, which are the same for every answer. Setting them on Fastify's reply is faster than on
 * Node's response.
 */
function securityHeaders({ analytics, publicUrl }: Config): OutgoingHttpHeaders {
  const blank = new ServerResponse(new IncomingMessage(new Socket()));
  helmet({
    contentSecurityPolicy: contentSecurityPolicy(analytics),
    // HSTS may only be sent by an installation that is served over https.
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: ONE_YEAR_SECONDS } : false,
  })(blank.req, blank, () => undefined);
  return blank.getHeaders();
}

/** Builds the API. Call its `close()` to release everything it opened. */
export async function buildApp(options: ServicesOptions): Promise<FastifyInstance> {
  const { config, log } = options;
  const loggerInstance: FastifyBaseLogger = log.child({}, { serializers: { req: requestSerializer } });
  const app = fastify({
    loggerInstance,
    schemaController: withoutAjv,
    logController: new OneLinePerRequest(log),
    trustProxy: (_address: string, hop: number) => hop < config.trustedProxies,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    frameworkErrors: answerUnroutable,
    genReqId: requestId,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
  });
  app.setSerializerCompiler(serializerCompiler);
  if (options.tracing) traceRequests(app, options.tracing);
  registerErrors(app, refusalOf);
  const headers = securityHeaders(config);
  app.addHook('onRequest', (request, reply, next) => {
    void reply.headers(headers).header('X-Request-Id', request.id);
    next();
  });
  giveUpOnSlowReaders(app, config.limits.answerSeconds);

  registerWrongMethods(app);
  await app.register(fastifyCompress, COMPRESSION);
  await app.register(fastifyMultipart);
  registerBudgets(app, config.limits);

  const { services, close } = await openServices(options);
  app.addHook('onClose', close);
  registerLoadShedding(app, services.database, config.limits);
  for (const register of FEATURES) await register(app, services);
  openApiRoutes(app);
  healthRoutes(app, config);
  securityTxtRoute(app, config);
  siteConfigRoutes(app, config.analytics);
  metricsRoute(app, {
    token: config.metricsToken,
    sources: [
      ...services.metrics,
      run4uMetrics(services.database),
      smsMetrics(services.database, config.limits),
    ],
    threads: services.threads,
    pool: services.database.pool,
    log,
  });
  await registerStaticWeb(app, config.webDist, pageHead(services));
  return app;
}
