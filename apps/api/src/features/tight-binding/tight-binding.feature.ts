/** The tight-binding playground: plane nets and their bands. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../plugins/services.ts';
import { tightBindingRoutes } from './tight-binding.routes.ts';
import { tightBinding } from './tight-binding.service.ts';

export function tightBindingFeature(app: FastifyInstance, { crystalThreads }: Services): void {
  tightBindingRoutes(app, tightBinding(crystalThreads));
}
