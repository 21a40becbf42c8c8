/** Crystals farther apart than this do not count as similar; see docs/methods/similar-structures.md. */
export const FARTHEST_SIMILAR = 0.2;

/**
 * Crystals with equal occupied positions that are farther apart than this have different structure types (LiCoO2 and
 * CuFeO2: 0.5). workshop/generators/seed/prototypes.test.ts compares it with pymatgen.
 */
export const FARTHEST_OF_PROTOTYPE = 0.4;

/** Characters of a report of a problem with an entry. */
export const SHORTEST_REPORT = 10;
export const LONGEST_REPORT = 4000;

/** Rows per answer of a screening. */
export const MAX_SCREEN_ROWS = 1000;

/**
 * The condition that a material neither takes up nor gives off oxygen at a chemical potential in eV per O. The lowest
 * potential is unknown where a material contains no oxygen to give off.
 */
export const stableInOxygen = (potential: number): string =>
  `oxygen_potential_max >= ${potential} AND (oxygen_potential_min <= ${potential} OR oxygen_potential_min IS UNKNOWN)`;
