/** Materials of a fresh install, as the examples tell of it; `fresh-install.test.ts` imports the seed and counts. */
export const SEED_MATERIALS = 1687;
