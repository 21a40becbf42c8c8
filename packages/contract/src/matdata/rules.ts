/** Limits and lists of matdata that the web client shares with the server. No schemas. */

/** Crystals farther apart than this are not called alike; see docs/methods/similar-structures.md. */
export const FARTHEST_SIMILAR = 0.2;

/** Rows of one answer. */
export const MAX_SCREEN_ROWS = 1000;
