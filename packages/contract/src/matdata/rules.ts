/** Crystals farther apart than this do not count as similar; see docs/methods/similar-structures.md. */
export const FARTHEST_SIMILAR = 0.2;

/** Rows per answer. */
export const MAX_SCREEN_ROWS = 1000;
