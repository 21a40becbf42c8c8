export * from './analyze-symmetry.ts';
export { initSymmetry, initSymmetryAsync, isSymmetryReady, type SymmetryWasm } from './moyo.ts';
export * from './symmetry-error.ts';
