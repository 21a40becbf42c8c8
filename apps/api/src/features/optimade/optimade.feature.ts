/** OPTIMADE provider. By the operator's choice it is off, open to keys and signed-in users, or public. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { callerOf } from '../../http/client-network.ts';
import { fromTask, statusOf } from '../../http/errors.ts';
import { databaseTrouble } from '../../infra/database.ts';
import { ownVersion } from '../../infra/process.ts';
import { taskAdmission } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import { preferredLanguage, translator } from '../../messages/messages.ts';
import {
  BASES,
  type Envelopes,
  envelopes,
  OptimadeError,
  optimadeStatus,
  UNVERSIONED_BASE,
} from './envelope.ts';
import {
  baseInfo,
  LINK_NAMES,
  pageOf,
  REFERENCE_NAMES,
  referencesInfo,
  type SmallEntry,
  structuresInfo,
  textFields,
} from './info.ts';
import { STRUCTURE_QUERY } from './structure-filter.ts';
import { type RawQuery, readEntryQuery, readListQuery } from './read-query.ts';
import { type Structures, structures, structuresRepository } from './structures.ts';

export async function optimadeFeature(
  app: FastifyInstance,
  { config, database, catalogueCaches, materialFinder }: Services,
): Promise<void> {
  const { optimadeAccess: access, publicUrl, limits } = config;
  const made = envelopes(publicUrl, await ownVersion());
  if (access === 'off') return closedRoutes(app, made);
  const questions = taskAdmission({
    slots: QUESTIONS_AT_ONCE,
    waiting: limits.tasksWaiting,
    perOwner: { running: limits.tasksPerOwner, waiting: limits.tasksWaitingPerOwner },
  });
  const provider = {
    structures: structures(structuresRepository(database, QUESTION_MS), catalogueCaches, {
      finder: materialFinder,
      questions,
    }),
    envelopes: made,
    publicUrl,
  };
  // Pages of all sites may read this (CORS), since it is read-only, uses no cookies and is equal for all visitors.
  app.get('/optimade/versions', (_, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').type('text/csv; header=present').send('version\n1\n'),
  );
  // A client that resolves `v1/structures` against `…/optimade` without its trailing slash requests `/v1/structures`.
  app.get('/v1/*', (request, reply) => reply.redirect(`/optimade${request.url}`, 307));
  for (const prefix of [...BASES, UNVERSIONED_BASE])
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', async (_, reply) => {
          void reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' });
        });
        if (access === 'key') scope.addHook('onRequest', app.requireIdentity);
        scope.addHook('onRequest', app.spendBudget('optimade'));
        optimadeRoutes(scope, provider);
      },
      { prefix },
    );
}

/** While OPTIMADE is off, clients get an OPTIMADE error instead of a page, in their language if stated. */
function closedRoutes(app: FastifyInstance, made: Envelopes): void {
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const language = preferredLanguage(request.headers['accept-language'] ?? 'en');
    const error = new OptimadeError(404, translator(language)('optimade.off'));
    return reply.status(error.status).type(MEDIA_TYPE).send(made.errors(request, error));
  };
  for (const path of [UNVERSIONED_BASE, `${UNVERSIONED_BASE}/*`]) app.get(path, refuse);
}

// ── OPTIMADE endpoints for clients that query many databases: https://specs.optimade.org/optimade/v1.2.0 ──

const MEDIA_TYPE = 'application/vnd.api+json; charset=utf-8';
/** Time limit of a filter query in PostgreSQL, ms. */
const QUESTION_MS = 5000;
/** Number of simultaneous queries in PostgreSQL; the pages of the site need most of its connections. */
const QUESTIONS_AT_ONCE = 4;
/** Retry-After (s) while the database is unavailable. */
const RETRY_SECONDS = 2;
const REFERENCE_FIELDS = textFields(REFERENCE_NAMES);
const LINK_FIELDS = textFields(LINK_NAMES);

/** Converts other errors to OPTIMADE errors in English. */
function toOptimadeError(error: unknown): OptimadeError {
  if (error instanceof OptimadeError) return error;
  const isTrouble = databaseTrouble(error) !== null;
  const known = isTrouble
    ? new AppError('server.busy', { seconds: RETRY_SECONDS })
    : (fromTask(error) ?? error);
  if (!(known instanceof AppError)) return new OptimadeError(500, 'something went wrong on our side');
  const status = optimadeStatus(statusOf(known.code));
  const { text, parameters } = known;
  const seconds = Number(parameters.seconds ?? 0);
  return new OptimadeError(status, translator('en')(text, parameters), undefined, seconds);
}

function optimadeRoutes(
  app: FastifyInstance,
  provider: { structures: Structures; envelopes: Envelopes; publicUrl: string },
): void {
  app.setErrorHandler((error, request, reply) => {
    const said = toOptimadeError(error);
    if (said.status === 500) request.log.error({ err: error }, 'OPTIMADE request failed');
    if (said.retryAfterSeconds > 0) void reply.header('Retry-After', String(said.retryAfterSeconds));
    return reply.status(said.status).type(MEDIA_TYPE).send(provider.envelopes.errors(request, said));
  });
  app.setNotFoundHandler((request, reply) => {
    const isVersion = /^\/optimade\/v\d/.test(request.url) && app.prefix === UNVERSIONED_BASE;
    const error = isVersion
      ? new OptimadeError(553, `this version is not served; there are ${BASES.join(', ')}`)
      : new OptimadeError(404, 'there is nothing at this address');
    return reply.status(error.status).type(MEDIA_TYPE).send(provider.envelopes.errors(request, error));
  });

  const get = (
    path: string,
    answer: (
      request: FastifyRequest<{ Params: { id: string } }>,
      reply: FastifyReply,
    ) => Promise<object> | object,
  ) =>
    // Access by keys and load shedding are the same as for the material calls.
    app.get<{ Params: { id: string } }>(
      path,
      { schema: { tags: ['matdata'], operationId: `optimade${path}` } },
      async (request, reply) => {
        const document = await answer(request, reply);
        return reply.type(MEDIA_TYPE).send(document);
      },
    );

  get('/info', (request) => provider.envelopes.data(request, baseInfo(provider.publicUrl)));
  get('/info/structures', (request) => provider.envelopes.data(request, structuresInfo()));
  get('/info/references', (request) => provider.envelopes.data(request, referencesInfo()));

  get('/structures', async (request, reply) => {
    const raw = request.query as RawQuery;
    const query = readListQuery(raw, STRUCTURE_QUERY);
    const page = await provider.structures.page(query, callerOf(request, reply));
    const included = raw.include === '' ? [] : await provider.structures.referencesOf(page.rows);
    const next = page.cursor === null ? null : provider.envelopes.next(request, page.cursor);
    return provider.envelopes.data(
      request,
      page.data,
      {
        dataReturned: page.count,
        dataAvailable: page.available,
        isMore: next !== null,
        warnings: query.warnings,
      },
      { links: { next }, included },
    );
  });

  get('/structures/:id', async (request) => {
    const raw = request.query as RawQuery;
    const query = readEntryQuery(raw, STRUCTURE_QUERY);
    const { entry, row } = await provider.structures.byId(request.params.id, query.fields);
    const included = raw.include === '' ? [] : await provider.structures.referencesOf([row]);
    const facts = { dataReturned: 1, warnings: query.warnings };
    return provider.envelopes.data(request, entry, facts, { links: { next: null }, included });
  });

  const smallList = (request: FastifyRequest, all: readonly SmallEntry[], fields: typeof LINK_FIELDS) => {
    const query = readListQuery(request.query as RawQuery, fields);
    const { entries, count, cursor } = pageOf(all, query);
    const next = cursor === null ? null : provider.envelopes.next(request, cursor);
    return provider.envelopes.data(
      request,
      entries,
      { dataReturned: count, dataAvailable: all.length, isMore: next !== null, warnings: query.warnings },
      { links: { next } },
    );
  };

  get('/references', async (request) =>
    smallList(request, await provider.structures.references(), REFERENCE_FIELDS),
  );
  get('/references/:id', async (request) => {
    const { id } = request.params;
    const query = readEntryQuery(request.query as RawQuery, REFERENCE_FIELDS);
    const found = (await provider.structures.references()).filter((entry) => entry.id === id);
    const [entry] = pageOf(found, query).entries;
    if (!entry) throw new OptimadeError(404, `there is no reference ${id.slice(0, 40)}`);
    return provider.envelopes.data(request, entry, { dataReturned: 1, warnings: query.warnings });
  });

  const { name, description, homepage } = provider.envelopes.provider;
  const root: SmallEntry = {
    id: 'unitcell',
    type: 'links',
    attributes: {
      name,
      description,
      base_url: `${provider.publicUrl}/optimade`,
      homepage,
      link_type: 'root',
      aggregate: 'ok',
    },
  };
  get('/links', (request) => smallList(request, [root], LINK_FIELDS));
}
