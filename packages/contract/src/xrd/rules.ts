/** Limits and lists of xrd that the web client shares with the server. No schemas. */

/** Rows a match may be asked for, and how many it answers when nothing is said. */
export const MATCH_ROWS = { default: 20, max: 100 } as const;

/** Names of the positions of a result row, in order. Energy above hull in eV/atom; null when it is not known. */
export const MATCH_ROW_FIELDS = [
  'distance',
  'struct_id',
  'formula',
  'space_group',
  'nsites',
  'ehull',
] as const;

/** Largest isotropic strain of a reference that is allowed for; 0 switches the allowance off. */
export const MAX_MATCH_STRAIN = 0.02;

/** Bytes an uploaded pattern may have. */
export const MAX_PATTERN_BYTES = 2 * 1024 * 1024;
