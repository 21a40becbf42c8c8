/** The calls of collections. */
import type { Call } from '../define-call.ts';
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
} from './collections.ts';

export * from './collections.ts';

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
