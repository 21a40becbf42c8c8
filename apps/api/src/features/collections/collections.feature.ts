/** Collections of materials and saved searches of an account. */
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
} from '@unitcell/contract/collections';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import { collections, type Collections, collectionsRepository } from './collections.ts';
import { savedSearches, type SavedSearches, savedSearchesRepository } from './saved-searches.ts';

export function collectionsFeature(app: FastifyInstance, { database: { db } }: Services): void {
  collectionsRoutes(app, {
    collections: collections(db, collectionsRepository),
    searches: savedSearches(db, savedSearchesRepository),
  });
}

interface CollectionsRoutesOptions {
  readonly collections: Collections;
  readonly searches: SavedSearches;
}

const done = { error: 'false', message: '' } as const;

function collectionsRoutes(app: FastifyInstance, saved: CollectionsRoutesOptions): void {
  serveCall(app, listCollections, async ({ identity: { accountId } }) => ({
    ...done,
    collections: await saved.collections.list(accountId),
    searches: await saved.searches.list(accountId),
  }));
  serveCall(app, getCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await ('id' in body
      ? saved.collections.own(accountId, body.id)
      : saved.collections.shared(accountId, body.key)),
  }));
  serveCall(app, saveCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await saved.collections.save(accountId, body),
  }));
  serveCall(app, changeCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await saved.collections.change(accountId, body),
  }));
  serveCall(app, shareCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    share_key: await saved.collections.share(accountId, body.id, body.is_shared),
  }));
  serveCall(app, removeCollection, async ({ body, identity: { accountId } }) => {
    await saved.collections.remove(accountId, body.id);
    return done;
  });
  serveCall(app, saveSearch, async ({ body, identity: { accountId } }) => ({
    ...done,
    search: await saved.searches.save(accountId, body),
  }));
  serveCall(app, seeSearch, async ({ body, identity: { accountId } }) => ({
    ...done,
    search: await saved.searches.see(accountId, body.id),
  }));
  serveCall(app, removeSearch, async ({ body, identity: { accountId } }) => {
    await saved.searches.remove(accountId, body.id);
    return done;
  });
}
