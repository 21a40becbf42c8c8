/** Default and largest number of rows that a match returns. */
export const MATCH_ROWS = { default: 20, max: 100 } as const;

/** Names of the positions of a result row, in order. The energy above the hull is in eV/atom, or null if unknown. */
export const MATCH_ROW_FIELDS = [
  'distance',
  'struct_id',
  'formula',
  'space_group',
  'nsites',
  'ehull',
] as const;

/** Largest isotropic strain of a reference; 0 disables strain. */
export const MAX_MATCH_STRAIN = 0.02;

/** Limit of an uploaded pattern in bytes. */
export const MAX_PATTERN_BYTES = 2 * 1024 * 1024;

/** Å; lines of a list of spacings and intensities lie between these. */
export const LISTED_SPACINGS = { min: 0.4, max: 100 } as const;

/** Limit of lines in a list of spacings and intensities. */
export const MAX_LISTED_LINES = 500;

/** Limit of phases in a refinement. */
export const MAX_PHASES = 5;

/** Limit of phases that an identification looks for. */
export const MAX_IDENTIFIED = 4;

/** Limit of regions that a refinement excludes. */
export const MAX_EXCLUDED = 20;

/** Characters of the name of a phase. */
export const MAX_PHASE_NAME = 60;

/** Limit of the text of a CIF in bytes. */
export const MAX_CIF_BYTES = 256 * 1024;

/** Line widths that a refinement can start from. */
export const INSTRUMENTS = [
  'estimate',
  'laboratory',
  'laboratory-sharp',
  'laboratory-broad',
  'synchrotron',
] as const;
