import {
  changeCollection,
  getCollection,
  listCollections,
  removeCollection,
  removeSearch,
  saveCollection,
  saveSearch,
  seeSearch,
  shareCollection,
} from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import type { Collections } from './collections.service.ts';
import type { SavedSearches } from './saved-searches.service.ts';

interface CollectionsRoutesOptions {
  readonly collections: Collections;
  readonly searches: SavedSearches;
}

const done = { error: 'false', message: '' } as const;

export function collectionsRoutes(
  app: FastifyInstance,
  { collections, searches }: CollectionsRoutesOptions,
): void {
  serveCall(app, listCollections, async ({ identity: { accountId } }) => ({
    ...done,
    collections: await collections.list(accountId),
    searches: await searches.list(accountId),
  }));
  serveCall(app, getCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await ('id' in body
      ? collections.own(accountId, body.id)
      : collections.shared(accountId, body.key)),
  }));
  serveCall(app, saveCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await collections.save(accountId, body),
  }));
  serveCall(app, changeCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await collections.change(accountId, body),
  }));
  serveCall(app, shareCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    share_key: await collections.share(accountId, body.id, body.is_shared),
  }));
  serveCall(app, removeCollection, async ({ body, identity: { accountId } }) => {
    await collections.remove(accountId, body.id);
    return done;
  });
  serveCall(app, saveSearch, async ({ body, identity: { accountId } }) => ({
    ...done,
    search: await searches.save(accountId, body),
  }));
  serveCall(app, seeSearch, async ({ body, identity: { accountId } }) => ({
    ...done,
    search: await searches.see(accountId, body.id),
  }));
  serveCall(app, removeSearch, async ({ body, identity: { accountId } }) => {
    await searches.remove(accountId, body.id);
    return done;
  });
}
