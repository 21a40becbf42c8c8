/** Run4U, the side people see: upload, submit, follow. The calculations are done by workers (pipeline/). */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { readRun4uSettings } from './run4u-settings.ts';
import { run4uRoutes } from './run4u.routes.ts';
import { submissionEvents } from './submission-events.ts';
import { submissionsRepository } from './submissions.repository.ts';
import { submissions } from './submissions.service.ts';
import type * as run4uThread from './run4u.thread.ts';

export async function run4uFeature(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, queue, log, threads, predictions } = services;
  const settings = readRun4uSettings(config);
  const service = submissions({
    repository: submissionsRepository(database),
    threads: threads.open<typeof run4uThread>(new URL('./run4u.thread.ts', import.meta.url)),
    queue,
    predictions,
    settings,
    timeZone: config.timeZone,
    log,
  });
  const events = await submissionEvents(config.databaseUrl, (error) =>
    log.error({ err: error }, 'submission listener lost'),
  );
  app.addHook('onClose', () => events.close());
  run4uRoutes(app, { service, events, streamsPerAccount: config.limits.streamsPerAccount });
}
