// Limits and lists of the design calls that the web client shares with the server, without schemas.

/** Limits of one search. */
export const DESIGN_LIMITS = {
  elements: 12,
  /** Elements of one compound. */
  systemSize: { min: 2, max: 4 },
  /** Sets of elements per search. */
  systems: 50,
  /** Atoms of the primitive cell. */
  atoms: 40,
  /** Candidates whose properties are predicted. */
  candidates: 2000,
  /** Candidates relaxed before the ranking, the best by prediction. */
  relaxed: 200,
  /** Candidates kept, the best first. */
  kept: 300,
} as const;

export const DESIGN_DEFAULTS = { atoms: 20, candidates: 400 } as const;
