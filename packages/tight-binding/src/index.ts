/**
 * Plane nets and their tight-binding models.
 *
 * @example
 * import { bandStructure, netById } from '@unitcell/tight-binding';
 * const { kDist, bands, hspNodes, hspLabels } = bandStructure({ net: netById('kgm'), t1: -1, t2: 0 });
 */
export * from './tight-binding-error.ts';
export * from './periodic-graph.ts';
export * from './net.ts';
export * from './bands/second-neighbours.ts';
export * from './bands/bloch-solver.ts';
export { type KPoint, kPathCorners, reciprocalVectors } from './bands/k-path.ts';
export * from './bands/band-structure.ts';
export * from './bands/density-of-states.ts';
export * from './bands/flat-bands.ts';
export { type BandChernNumber, chernNumbers, ISOLATION_GAP } from './bands/chern-number.ts';
export * from './bands/model.ts';
