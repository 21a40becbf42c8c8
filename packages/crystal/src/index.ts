export * from './composition.ts';
export * from './error.ts';
export * from './formula.ts';
export * from './lattice.ts';
export * from './structure.ts';
