/** Limits and lists of matdata that the web client shares with the server. No schemas. */

/** Crystals farther apart than this are not called alike; see docs/science/similar-structures.md. */
export const FARTHEST_SIMILAR = 0.2;

/** Rows of one answer. */
export const MAX_SCREEN_ROWS = 1000;

export const SOURCE_SECTIONS = [
  'structure',
  'symmetry',
  'energy',
  'band_gap',
  'bands',
  'phase_diagram',
  'xrd',
  'dielectric',
  'piezoelectric',
  'elastic',
  'topology',
] as const;

export type SourceSection = (typeof SOURCE_SECTIONS)[number];
