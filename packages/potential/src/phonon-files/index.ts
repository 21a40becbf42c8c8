export type { FinishedPhonons, FinishedPoint } from './finished.ts';
export * from './phonopy.ts';
export * from './phonopy-results.ts';
