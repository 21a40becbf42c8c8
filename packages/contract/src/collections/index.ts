/** Collections of materials, and saved searches. */
import { z } from 'zod';
import { defineCall } from '../define-call.ts';
import { outcome, rowId } from '../common.ts';

/** Per account. */
export const MAX_COLLECTIONS = 100;
export const MAX_SAVED_SEARCHES = 100;
/** Materials per collection. */
export const MAX_COLLECTED = 1000;

const id = rowId;
const name = z.string().trim().min(1, 'a name').max(100);
const structIds = z.array(id).max(MAX_COLLECTED);
const time = z.string();

const collection = z.object({
  id: id.describe('Number of the collection.'),
  name: name.describe('Name the owner gave it.'),
  note: z.string().describe('What the owner notes of it.'),
  share_key: z
    .string()
    .nullable()
    .describe('Whoever is signed in and has it may read the collection; null: nobody else may.'),
  release: z
    .int()
    .nullable()
    .describe('The last rebuild of derived data when a material was added last; null while it is empty.'),
  count: z.int().nonnegative().describe('Materials in it.'),
  created_at: time.describe('When it was made, ISO 8601.'),
  updated_at: time.describe('When it was last changed, ISO 8601.'),
});
export type Collection = z.infer<typeof collection>;

const collectionDetail = collection
  .extend({
    struct_ids: z.array(z.int()).describe('Numbers of its materials, in the order they were added.'),
    is_own: z.boolean().describe("It is the caller's own; others may only read it."),
  })
  .describe('The collection as it is now.');
export type CollectionDetail = z.infer<typeof collectionDetail>;

const savedSearch = z
  .object({
    id: id.describe('Number of the saved search.'),
    name: name.describe('Name the owner gave it.'),
    filter: z.string().describe('Text in the filter language of OPTIMADE 1.2 with the names of our columns.'),
    scale: z.string().describe('Energy scale of the search; empty: the default of the site.'),
    seen_at: time.describe(
      'When its results were last seen, ISO 8601; what was added to the catalogue since is new: `added > "…"`.',
    ),
    seen_release: z
      .int()
      .nullable()
      .describe('The last rebuild of derived data at that time; null before the first.'),
  })
  .describe('The saved search as it is now.');
export type SavedSearch = z.infer<typeof savedSearch>;

const group = 'collections';
const common = { group, method: 'POST', access: 'user', body: 'json' } as const;

export const listCollections = defineCall({
  ...common,
  name: 'listCollections',
  path: '/api/collections/list/',
  summary: 'Collections and saved searches of the account, the last changed first',
  request: z.object({}),
  answer: outcome.extend({
    collections: z.array(collection).describe('Collections of the account, the last changed first.'),
    searches: z.array(savedSearch).describe('Saved searches of the account, newest first.'),
  }),
  refusals: [],
});

export const getCollection = defineCall({
  ...common,
  name: 'getCollection',
  path: '/api/collections/get/',
  summary: 'One collection with the numbers of its materials: an own one by its id, a shared one by its key',
  request: z.union([
    z.strictObject({ id: id.describe('Number of the collection.') }),
    z.strictObject({ key: z.string().max(100).describe('The `share_key` of a collection somebody shared.') }),
  ]),
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
    id: id.optional().describe('Number of the collection to change; without it a new one is made.'),
    name: name.describe('Name the owner gave it.'),
    note: z.string().max(2000).optional().describe('What the owner notes of it.'),
    add: structIds.optional().describe('Numbers of materials to begin with.'),
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
  request: z.object({
    id: id.describe('Number of the collection.'),
    add: structIds.optional().describe('Numbers of materials to add.'),
    remove: structIds.optional().describe('Numbers of materials to take out.'),
  }),
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
  request: z.object({
    id: id.describe('Number of the collection.'),
    is_shared: z
      .boolean()
      .describe('Whether others may read it by its key; false withdraws the key for good.'),
  }),
  answer: outcome.extend({
    share_key: z
      .string()
      .nullable()
      .describe('Whoever is signed in and has it may read the collection; null: nobody else may.'),
  }),
  refusals: [],
  faults: ['collections.not-found'],
});

export const removeCollection = defineCall({
  ...common,
  name: 'removeCollection',
  path: '/api/collections/remove/',
  summary: 'Deletes a collection of the account',
  request: z.object({ id: id.describe('Number of the collection.') }),
  answer: outcome,
  refusals: [],
  faults: ['collections.not-found'],
});

export const saveSearch = defineCall({
  ...common,
  name: 'saveSearch',
  path: '/api/collections/save_search/',
  summary: 'Keeps a filter under a name; from now on it is known what was added to the catalogue since',
  request: z.object({
    name: name.describe('Name the owner gave it.'),
    filter: z
      .string()
      .max(10_000)
      .describe('Text in the filter language of OPTIMADE 1.2 with the names of our columns.'),
    scale: z
      .string()
      .max(200)
      .optional()
      .describe('Energy scale of the search; empty: the default of the site.'),
  }),
  answer: outcome.extend({ search: savedSearch }),
  refusals: ['collections.too-many-searches', 'collections.bad-filter'],
});

export const seeSearch = defineCall({
  ...common,
  name: 'seeSearch',
  path: '/api/collections/see_search/',
  summary: 'What a saved search finds has been seen: only what is added from now on is new',
  request: z.object({ id: id.describe('Number of the saved search.') }),
  answer: outcome.extend({ search: savedSearch }),
  refusals: [],
  faults: ['collections.not-found'],
});

export const removeSearch = defineCall({
  ...common,
  name: 'removeSearch',
  path: '/api/collections/remove_search/',
  summary: 'Deletes a saved search of the account',
  request: z.object({ id: id.describe('Number of the saved search.') }),
  answer: outcome,
  refusals: [],
  faults: ['collections.not-found'],
});
