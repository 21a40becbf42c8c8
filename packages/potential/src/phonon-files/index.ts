export * from './abinit-ddb.ts';
export * from './materials-project.ts';
export * from './quantum-espresso.ts';
export type { FinishedPhonons, FinishedPoint } from './finished.ts';
export * from './phonopy.ts';
export * from './phonopy-results.ts';
