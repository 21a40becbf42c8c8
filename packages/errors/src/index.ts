/**
 * The one kind of error that the science packages throw, and its way between threads.
 *
 * @example
 * try { parseFormula('Li2Xx'); } catch (error) { if (error instanceof ScienceError) error.id; } // 'crystal.formula'
 */
export * from './science-error.ts';
