export * from './analyze-symmetry.ts';
export * from './k-path.ts';
export {
  type CatalogueCells,
  catalogueCells,
  type CatalogueCellsOptions,
  type GivenCell,
  LOOSE_TOLERANCE,
  pointRotations,
  type StatedSymmetry,
  TIGHT_TOLERANCE,
} from './catalogue-cells.ts';
export type { ConventionalCell } from './conventional-cell.ts';
export type { KPathVariant } from './k-path-variants.ts';
export {
  findMatches,
  frameworkOf,
  groupByFramework,
  type HostFramework,
  type MatchCandidate,
  type MatchOptions,
  matchPrepared,
  matchStructures,
  prepareCandidate,
  type StructureMatch,
} from './matching/match-structures.ts';
export { type PreparedStructure, prepareStructure } from './matching/prepare-structure.ts';
export { initSymmetry, type SymmetryWasm } from './moyo.ts';
export type { MonoclinicForm, StandardCells } from './standard-cells.ts';
export type { SpaceGroup, SymmetryDataset } from './symmetry-dataset.ts';
export * from './symmetry-error.ts';
