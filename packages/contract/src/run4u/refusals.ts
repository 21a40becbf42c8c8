/** Why a structure is not taken for a calculation. */
export const STRUCTURE_REFUSALS = [
  'run4u.unreadable',
  'run4u.too-many-atoms',
  'run4u.partly-occupied',
  'run4u.overlap',
  'run4u.symmetry-failed',
] as const;
