import { getData, getLists } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { preferredLanguage } from '../../messages/messages.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { About } from './about.service.ts';
import type { ReadLists } from './lists.service.ts';

export function aboutRoutes(app: FastifyInstance, about: About, lists: ReadLists): void {
  serveCall(app, getData, ({ request }) => about.data(preferredLanguage(request.headers['accept-language'])));
  serveCall(app, getLists, lists);
}
