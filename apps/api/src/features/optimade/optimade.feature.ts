/** OPTIMADE provider: off, for holders of a key or a sign-in, or for everybody, as the operator decides. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { BASES, envelopes, UNVERSIONED_BASE } from './envelope.ts';
import { optimadeRoutes } from './optimade.routes.ts';
import { structures } from './structures.service.ts';
import { structuresRepository } from './structures.repository.ts';

export async function optimadeFeature(
  app: FastifyInstance,
  { config, database, catalogueCaches, materialFinder }: Services,
): Promise<void> {
  const { optimadeAccess: access, publicUrl } = config;
  if (access === 'off') return;
  const provider = {
    structures: structures(structuresRepository(database), catalogueCaches, materialFinder),
    envelopes: envelopes(publicUrl),
    publicUrl,
  };
  // Read-only and without cookies: any page may ask (CORS), and nothing of a visitor's is told.
  app.get('/optimade/versions', (_, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').type('text/csv; header=present').send('version\n1\n'),
  );
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
