/** Limits and lists of design that the web client shares with the server. No schemas. */

/** What one search may look at. */
export const DESIGN_LIMITS = {
  elements: 12,
  /** Elements of one compound. */
  systemSize: { min: 2, max: 4 },
  /** Sets of elements. */
  systems: 50,
  /** Atoms of the primitive cell. */
  atoms: 40,
  /** Candidates that are predicted. */
  candidates: 2000,
  /** Candidates that are kept, best first. */
  kept: 300,
} as const;

/** What a search starts with when nothing else is asked for. */
export const DESIGN_DEFAULTS = { atoms: 20, candidates: 400 } as const;
