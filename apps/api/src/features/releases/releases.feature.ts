/** Dumps of the catalogue, written by the operator's command and served as files. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { releasesRoutes } from './releases.routes.ts';
import { releases } from './releases.service.ts';

export const releasesFeature = (app: FastifyInstance, { config }: Services): void =>
  releasesRoutes(app, releases(config.home), config.releaseAccess);
