/** Collections of materials, and searches a person comes back to. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { outcome, rowId } from '../common.ts';

/** Of one account. */
export const MAX_COLLECTIONS = 100;
export const MAX_SAVED_SEARCHES = 100;
/** Materials of one collection. */
export const MAX_COLLECTED = 1000;

const id = rowId;
const name = z.string().trim().min(1, 'a name').max(100);
const structIds = z.array(id).max(MAX_COLLECTED);
const time = z.string();

const collection = z.object({
  id,
  name,
  note: z.string(),
  /** Whoever is signed in and has it may read the collection; null: nobody else may. */
  share_key: z.string().nullable(),
  /** The last rebuild of derived data when a material was added last; null while it is empty. */
  release: z.int().nullable(),
  count: z.int().nonnegative(),
  created_at: time,
  updated_at: time,
});
export type Collection = z.infer<typeof collection>;

const collectionDetail = collection.extend({
  /** In the order they were added. */
  struct_ids: z.array(z.int()),
  /** The asker's own; others may only read it. */
  is_own: z.boolean(),
});
export type CollectionDetail = z.infer<typeof collectionDetail>;

const savedSearch = z.object({
  id,
  name,
  filter: z.string(),
  /** Empty for the site's own. */
  scale: z.string(),
  /** What was added to the catalogue since is new: `added > "…"` in the filter language. */
  seen_at: time,
  /** The last rebuild of derived data at that time. */
  seen_release: z.int().nullable(),
});
export type SavedSearch = z.infer<typeof savedSearch>;

const group = 'collections';
const common = { group, method: 'POST', access: 'user', body: 'json' } as const;

export const listCollections = defineCall({
  ...common,
  name: 'listCollections',
  path: '/api/collections/list/',
  summary: 'Collections and saved searches of the account, the last changed first',
  request: z.object({}),
  answer: outcome.extend({ collections: z.array(collection), searches: z.array(savedSearch) }),
  refusals: [],
});

export const getCollection = defineCall({
  ...common,
  name: 'getCollection',
  path: '/api/collections/get/',
  summary: 'One collection with the numbers of its materials: an own one by its id, a shared one by its key',
  request: z.union([z.strictObject({ id }), z.strictObject({ key: z.string().max(100) })]),
  answer: outcome.extend({ collection: collectionDetail }),
  refusals: [],
  faults: ['collections.not-found'],
});

export const saveCollection = defineCall({
  ...common,
  name: 'saveCollection',
  path: '/api/collections/save/',
  summary: 'Makes a collection, or names one anew',
  request: z.object({
    /** The one to change; a new one without. */
    id: id.optional(),
    name,
    note: z.string().max(2000).optional(),
    /** Materials to begin with. */
    add: structIds.optional(),
  }),
  answer: outcome.extend({ collection: collectionDetail }),
  refusals: ['collections.too-many', 'collections.full', 'collections.unknown-material'],
  faults: ['collections.not-found'],
});

export const changeCollection = defineCall({
  ...common,
  name: 'changeCollection',
  path: '/api/collections/change/',
  summary: 'Adds materials to a collection and takes others out; either is done whole or not at all',
  request: z.object({ id, add: structIds.optional(), remove: structIds.optional() }),
  answer: outcome.extend({ collection: collectionDetail }),
  refusals: ['collections.full', 'collections.unknown-material'],
  faults: ['collections.not-found'],
});

export const shareCollection = defineCall({
  ...common,
  name: 'shareCollection',
  path: '/api/collections/share/',
  summary:
    'Lets others read a collection by a key of its own, or no longer; a key once withdrawn never opens it again',
  request: z.object({ id, is_shared: z.boolean() }),
  answer: outcome.extend({ share_key: z.string().nullable() }),
  refusals: [],
  faults: ['collections.not-found'],
});

export const removeCollection = defineCall({
  ...common,
  name: 'removeCollection',
  path: '/api/collections/remove/',
  summary: 'Deletes a collection of the account',
  request: z.object({ id }),
  answer: outcome,
  refusals: [],
  faults: ['collections.not-found'],
});

export const saveSearch = defineCall({
  ...common,
  name: 'saveSearch',
  path: '/api/collections/save_search/',
  summary: 'Keeps a filter under a name; from now on it is known what was added to the catalogue since',
  request: z.object({ name, filter: z.string().max(10_000), scale: z.string().max(200).optional() }),
  answer: outcome.extend({ search: savedSearch }),
  refusals: ['collections.too-many-searches', 'collections.bad-filter'],
});

export const seeSearch = defineCall({
  ...common,
  name: 'seeSearch',
  path: '/api/collections/see_search/',
  summary: 'What a saved search finds has been seen: only what is added from now on is new',
  request: z.object({ id }),
  answer: outcome.extend({ search: savedSearch }),
  refusals: [],
  faults: ['collections.not-found'],
});

export const removeSearch = defineCall({
  ...common,
  name: 'removeSearch',
  path: '/api/collections/remove_search/',
  summary: 'Deletes a saved search of the account',
  request: z.object({ id }),
  answer: outcome,
  refusals: [],
  faults: ['collections.not-found'],
});

export const collectionsCalls: readonly Call[] = [
  listCollections,
  getCollection,
  saveCollection,
  changeCollection,
  shareCollection,
  removeCollection,
  saveSearch,
  seeSearch,
  removeSearch,
];
