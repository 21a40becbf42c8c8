export * from './lattice.ts';
export * from './structure.ts';
