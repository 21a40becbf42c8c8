import type { Mat2, NetEdge, Vec2 } from './periodic-graph.ts';

/** The 17 plane groups by their short Hermann–Mauguin symbols (International Tables for Crystallography, Vol. A). */
export type PlaneGroup =
  | 'p1'
  | 'p2'
  | 'pm'
  | 'pg'
  | 'cm'
  | 'p2mm'
  | 'p2mg'
  | 'p2gg'
  | 'c2mm'
  | 'p4'
  | 'p4mm'
  | 'p4gm'
  | 'p3'
  | 'p3m1'
  | 'p31m'
  | 'p6'
  | 'p6mm';

/** Sites that the symmetry of the net makes equivalent; they share one on-site energy. */
export interface SiteOrbit {
  /** Name on the on-site slider: the Wyckoff letter, with a number where several orbits share it (`e1`, `e2`). */
  readonly symbol: string;
  readonly wyckoff: string;
  /** Sites per primitive cell. */
  readonly siteCount: number;
  /** Edges at every site of the orbit. */
  readonly degree: number;
}

/** A lattice of the catalogue: one primitive cell in the standard setting of its plane group. */
export interface Net {
  /** RCSR code, physics name, `code-d`/`-e`/`-a`, or systematic name. */
  readonly id: string;
  /** Other names under which it is found. */
  readonly names: readonly string[];
  /** Canonical Delaney–Dress symbol, for nets that are tilings. */
  readonly symbol?: string;
  readonly planeGroup: PlaneGroup;
  /** Rows a₁, a₂ in units of the mean edge; a₁ along x. */
  readonly latticeVectors: Mat2;
  /** Fractional positions, orbit by orbit. */
  readonly positions: readonly Vec2[];
  /** Orbit index of every site, non-decreasing. */
  readonly orbitOf: readonly number[];
  readonly orbits: readonly SiteOrbit[];
  readonly edges: readonly NetEdge[];
  /** Exact flat bands of H = +1 · adjacency: energy and how many bands lie there. */
  readonly flatBands: readonly FlatBandLevel[];
  /** Labels of the corner points of the path at which two bands cross linearly. */
  readonly diracPoints: readonly string[];
  /** How the drawing was made. */
  readonly drawing: 'equal edges' | 'open faces' | 'barycentric' | 'constructed';
}

export interface FlatBandLevel {
  readonly energy: number;
  readonly multiplicity: number;
}
