/** Codes of refusals that several calls of the matcher share. */

/** Why a file holds no pattern. */
export const FILE_REFUSALS = [
  'xrd.file.empty',
  'xrd.file.columns',
  'xrd.file.markup',
  'xrd.file.no-numbers',
  'xrd.file.not-finite',
  'xrd.file.angle',
  'xrd.file.too-few',
  'xrd.file.constant',
  'xrd.file.negative',
  'xrd.file.picture',
  'xrd.file.document',
  'xrd.file.archive',
  'xrd.file.instrument-file',
  'xrd.file.binary',
] as const;

/** Why a pattern that a client sent back is not taken. */
export const DATA_REFUSALS = [
  'xrd.data.lengths',
  'xrd.data.too-few',
  'xrd.data.too-many',
  'xrd.data.angle',
  'xrd.data.order',
  'xrd.data.constant',
  'xrd.data.negative',
] as const;

export const MATCH_REFUSALS = [
  ...DATA_REFUSALS,
  'xrd.no-signal',
  'xrd.unknown-source',
  'xrd.bad-wavelength',
  'xrd.bad-size',
  'xrd.filter.too-long',
  'xrd.filter.keyword',
  'xrd.filter.star',
  'xrd.filter.symbol',
  'xrd.filter.no-element',
  'xrd.match-id-in-use',
  'xrd.cancelled',
] as const;
