/** Å. Atoms closer than this are a mistake of their source: the shortest bond there is, in H2, has 0.74 Å. */
export const SMALLEST_DISTANCE = 0.5;
