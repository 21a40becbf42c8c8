/** Limits of the coating calls, without schemas. */
export const COATING_LIMITS = {
  /** Limit of formulas whose reactions are calculated in one search; formulas with the widest windows come first. */
  calculated: 1000,
  /** Limit of elements in a candidate. */
  elements: 6,
  /** Limit of elements in A and in B. */
  partnerElements: 7,
  /** Rows of an answer. */
  rows: 200,
  /** V against the working ion. */
  voltage: { min: 0, max: 10 },
  /** Limit of materials in a matrix of all pairs. */
  matrix: 40,
  /** Limit of materials in a list that is compared with one other material. */
  against: 200,
  /** Limit of characters in a CIF or POSCAR. */
  text: 200_000,
} as const;

/** eV/atom. A reaction that releases less energy counts as none; this is the usual tolerance of screenings. */
export const DEFAULT_REACTION_LIMIT = 0.05;

/** The filters of a search, in the order in which they are described. */
export const COATING_FILTERS = [
  'window_min',
  'window_max',
  'min_band_gap',
  'max_energy_above_hull',
  'exclude_elements',
  'include_elements',
  'observed_only',
  'max_elements',
] as const;
export type CoatingFilter = (typeof COATING_FILTERS)[number];

/** Values that determine the rank of a coating; energies in eV/atom. */
export interface CoatingRank {
  /** The lower (stronger) of the reaction energies with the two phases. */
  readonly worst: number;
  /** Null if unknown. */
  readonly energyAboveHull: number | null;
  readonly structId: number;
}

/** Order of coatings: weaker reaction first, then lower energy above the hull, then id. */
export const compareCoatings = (one: CoatingRank, other: CoatingRank): number =>
  other.worst - one.worst ||
  (one.energyAboveHull ?? Number.POSITIVE_INFINITY) - (other.energyAboveHull ?? Number.POSITIVE_INFINITY) ||
  one.structId - other.structId;
