/**
 * Plane nets and their tight-binding models.
 *
 * @example
 * import { bandStructure, netById } from '@unitcell/tight-binding';
 * const { kDist, bands, hspNodes, hspLabels } = bandStructure({ net: netById('kgm'), t1: -1, t2: 0 });
 */
export * from './tight-binding-error.ts';
export type { FlatBandLevel, Net, PlaneGroup, SiteOrbit } from './net.ts';
export { formatNetLine, parseNetLine } from './net-line.ts';
export { findNet, listNets, loadAllNets, netById } from './net-table.ts';
export * from './periodic-graph.ts';
export * from './lattice-structure.ts';
export * from './bands/second-neighbours.ts';
export {
  createModel,
  type Hopping,
  MAX_HOPPING_RATIO,
  MAX_ONSITE,
  type ModelOptions,
  secondNeighbours,
  type TightBindingModel,
} from './bands/model.ts';
export * from './bands/bloch-solver.ts';
export { type KPoint, kPathCorners, reciprocalVectors } from './bands/k-path.ts';
export * from './bands/band-structure.ts';
export * from './bands/density-of-states.ts';
export * from './bands/flat-bands.ts';
export { type BandChernNumber, chernNumbers, ISOLATION_GAP } from './bands/chern-number.ts';
export * from './bands/eigenstate.ts';
export * from './bands/dirac-points.ts';
export * from './bands/export-model.ts';
