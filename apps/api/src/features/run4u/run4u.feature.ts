/** Run4U, the side people see: upload, submit, follow. The calculations are done by workers (pipeline/). */
import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../plugins/services.ts';
import { readRun4uSettings } from './run4u-settings.ts';
import { run4uRoutes } from './run4u.routes.ts';
import { submissionEvents } from './submission-events.ts';
import { submissionsRepository } from './submissions.repository.ts';
import { submissions } from './submissions.service.ts';

export async function run4uFeature(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, queue, log, crystalThreads } = services;
  const settings = readRun4uSettings(config);
  const service = submissions({
    repository: submissionsRepository(database),
    threads: crystalThreads,
    queue,
    settings,
    timeZone: config.timeZone,
    log,
  });
  const events = await submissionEvents(config.databaseUrl, (error) =>
    log.error({ err: error }, 'submission listener lost'),
  );
  app.addHook('onClose', () => events.close());
  await app.register(async (scope) => {
    if (!scope.hasContentTypeParser('multipart/form-data')) await scope.register(fastifyMultipart);
    run4uRoutes(scope, service, events);
  });
}
