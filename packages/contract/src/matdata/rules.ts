/** Largest distance of similar crystals; see docs/methods/similar-structures.md. */
export const FARTHEST_SIMILAR = 0.2;

/**
 * Crystals with equal occupied positions have different structure types if their distance is larger than this
 * (LiCoO2 and CuFeO2: 0.5). workshop/generators/seed/prototypes.test.ts compares the value with pymatgen.
 */
export const FARTHEST_OF_PROTOTYPE = 0.4;

/** Limits on the length of a problem report, in characters. */
export const SHORTEST_REPORT = 10;
export const LONGEST_REPORT = 4000;

/** Rows per answer of a screening. */
export const MAX_SCREEN_ROWS = 1000;

/**
 * The filter condition for materials that neither take up nor release oxygen at a chemical potential in eV per
 * O. The lower limit is unknown for materials that contain no oxygen to release.
 */
export const stableInOxygen = (potential: number): string =>
  `oxygen_potential_max >= ${potential} AND (oxygen_potential_min <= ${potential} OR oxygen_potential_min IS UNKNOWN)`;
