// Limits of the parsers, checked before memory is allocated.

/** Longest text read, in characters. More than 20,000 atom lines with displacement parameters fit. */
export const MAX_TEXT_LENGTH = 4_000_000;

/** Most sites of one structure after symmetry. The largest computed cells have some thousands. */
export const MAX_READ_SITES = 20_000;

/** Most images (atoms times operations) computed when merging special positions. */
export const MAX_IMAGES = 500_000;

/** Most structures read from one file. */
export const MAX_STRUCTURES = 500;

/** Most symmetry operations of one block: four times the largest space group. */
export const MAX_OPERATIONS = 768;

/** Å; a longer cell edge is a typing error. */
export const MAX_CELL_LENGTH = 10_000;

/** Larger fractional coordinates are not positions (and lose digits when wrapped into the cell). */
export const MAX_COORDINATE = 10_000;

/** Å. Atoms closer than this are an error of the source: the shortest known bond, in H2, is 0.74 Å. */
export const SMALLEST_DISTANCE = 0.5;

/** Longest text with volumetric data, in characters: a grid of about three million points. */
export const MAX_VOLUME_TEXT = 64_000_000;

/** Most points of a grid: 256 along each edge. */
export const MAX_VOLUME_POINTS = 256 ** 3;
