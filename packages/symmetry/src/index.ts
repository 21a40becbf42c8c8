export * from './analyze-symmetry.ts';
export * from './brillouin-zone.ts';
export * from './k-path.ts';
export type { KPathVariant } from './k-path-variants.ts';
export { initSymmetry, initSymmetryAsync, isSymmetryReady, type SymmetryWasm } from './moyo.ts';
export { type MonoclinicForm, type StandardCells, standardCells } from './standard-cells.ts';
export * from './symmetry-error.ts';
