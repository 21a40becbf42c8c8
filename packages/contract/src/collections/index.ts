/** Collections of materials, and saved searches. */
import { z } from 'zod';
import * as address from '../calls.ts';
import { defineCall, outcome, rowId } from '../common.ts';

/** Limit of collections per account. */
export const MAX_COLLECTIONS = 100;
export const MAX_SAVED_SEARCHES = 100;
/** Limit of materials per collection. */
export const MAX_COLLECTED = 1000;

const id = rowId;
const name = z.string().trim().min(1, 'a name').max(100);
const structIds = z.array(id).max(MAX_COLLECTED);
const time = z.string();

const collection = z.object({
  id: id.describe('Id of the collection.'),
  name: name.describe('Name given by the owner.'),
  note: z.string().describe('Note of the owner.'),
  share_key: z
    .string()
    .nullable()
    .describe('Any signed-in user with this key may read the collection; null: not shared.'),
  release: z
    .int()
    .nullable()
    .describe(
      'Number of the last rebuild of derived data when a material was last added; null while it is empty.',
    ),
  count: z.int().nonnegative().describe('Number of materials in the collection.'),
  created_at: time.describe('Time of creation, ISO 8601.'),
  updated_at: time.describe('Time of the last change, ISO 8601.'),
});
export type Collection = z.infer<typeof collection>;

const collectionDetail = collection
  .extend({
    struct_ids: z.array(z.int()).describe('Ids of its materials, in the order they were added.'),
    is_own: z.boolean().describe('Whether the caller owns it; others may only read it.'),
  })
  .describe('The collection after the call.');
export type CollectionDetail = z.infer<typeof collectionDetail>;

const savedSearch = z
  .object({
    id: id.describe('Id of the saved search.'),
    name: name.describe('Name given by the owner.'),
    filter: z.string().describe('Filter in the language of OPTIMADE 1.2 with our column names.'),
    scale: z.string().describe('Energy scale of the search; empty: the default of the site.'),
    seen_at: time.describe(
      'When it was saved or last marked as seen, ISO 8601; materials added to the catalogue since are new: `added > "…"`.',
    ),
    seen_release: z
      .int()
      .nullable()
      .describe('Number of the last rebuild of derived data at that time; null before the first.'),
  })
  .describe('The saved search after the call.');
export type SavedSearch = z.infer<typeof savedSearch>;

export const listCollections = defineCall(address.listCollections, {
  summary: 'Collections and saved searches of the account, last changed first',
  request: z.object({}),
  answer: outcome.extend({
    collections: z.array(collection).describe('Collections of the account, last changed first.'),
    searches: z.array(savedSearch).describe('Saved searches of the account, newest first.'),
  }),
});

export const getCollection = defineCall(address.getCollection, {
  summary: 'One collection with the ids of its materials: an own one by its id, a shared one by its key',
  request: z.union([
    z.strictObject({ id: id.describe('Id of the collection.') }),
    z.strictObject({ key: z.string().max(100).describe('The `share_key` of a shared collection.') }),
  ]),
  answer: outcome.extend({ collection: collectionDetail }),
  faults: ['collections.not-found'],
});

export const saveCollection = defineCall(address.saveCollection, {
  summary: 'Creates or renames a collection',
  request: z.object({
    id: id.optional().describe('Id of the collection to change; without it a new one is created.'),
    name: name.describe('Name given by the owner.'),
    note: z.string().max(2000).optional().describe('Note of the owner.'),
    add: structIds.optional().describe('Ids of its first materials.'),
  }),
  answer: outcome.extend({ collection: collectionDetail }),
  refusals: ['collections.too-many', 'collections.full', 'collections.unknown-material'],
  faults: ['collections.not-found'],
});

export const changeCollection = defineCall(address.changeCollection, {
  summary: 'Adds materials to a collection and removes others, all or nothing',
  request: z.object({
    id: id.describe('Id of the collection.'),
    add: structIds.optional().describe('Ids of materials to add.'),
    remove: structIds.optional().describe('Ids of materials to remove.'),
  }),
  answer: outcome.extend({ collection: collectionDetail }),
  refusals: ['collections.full', 'collections.unknown-material'],
  faults: ['collections.not-found'],
});

export const shareCollection = defineCall(address.shareCollection, {
  summary: 'Shares a collection by a key, or stops sharing; a withdrawn key never becomes valid again',
  request: z.object({
    id: id.describe('Id of the collection.'),
    is_shared: z
      .boolean()
      .describe('Whether others may read it with its key; false withdraws the key permanently.'),
  }),
  answer: outcome.extend({
    share_key: z
      .string()
      .nullable()
      .describe('Any signed-in user with this key may read the collection; null: not shared.'),
  }),
  faults: ['collections.not-found'],
});

export const removeCollection = defineCall(address.removeCollection, {
  summary: 'Deletes a collection of the account',
  request: z.object({ id: id.describe('Id of the collection.') }),
  answer: outcome,
  faults: ['collections.not-found'],
});

export const saveSearch = defineCall(address.saveSearch, {
  summary: 'Saves a filter under a name; materials added to the catalogue from now on are reported as new',
  request: z.object({
    name: name.describe('Name given by the owner.'),
    filter: z.string().max(10_000).describe('Filter in the language of OPTIMADE 1.2 with our column names.'),
    scale: z
      .string()
      .max(200)
      .optional()
      .describe('Energy scale of the search; empty: the default of the site.'),
  }),
  answer: outcome.extend({ search: savedSearch }),
  refusals: ['collections.too-many-searches', 'collections.bad-filter'],
});

export const seeSearch = defineCall(address.seeSearch, {
  summary: 'Marks the results of a saved search as seen: only materials added from now on are new',
  request: z.object({ id: id.describe('Id of the saved search.') }),
  answer: outcome.extend({ search: savedSearch }),
  faults: ['collections.not-found'],
});

export const removeSearch = defineCall(address.removeSearch, {
  summary: 'Deletes a saved search of the account',
  request: z.object({ id: id.describe('Id of the saved search.') }),
  answer: outcome,
  faults: ['collections.not-found'],
});
