/** The tight-binding playground: plane nets and their bands. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { tightBindingRoutes } from './tight-binding.routes.ts';
import { tightBinding } from './tight-binding.service.ts';
import type * as tightBindingThread from './tight-binding.thread.ts';

export function tightBindingFeature(app: FastifyInstance, { threads }: Services): void {
  tightBindingRoutes(
    app,
    tightBinding(
      threads.open<typeof tightBindingThread>(new URL('./tight-binding.thread.ts', import.meta.url)),
    ),
  );
}
