import type { Vec2 } from '../periodic-graph.ts';
import { TightBindingError } from '../tight-binding-error.ts';
import { createBlochSolver } from './bloch-solver.ts';
import { kPathCorners, sampleKPath } from './k-path.ts';
import { createModel, type ModelOptions, type TightBindingModel } from './model.ts';

export const DEFAULT_K_POINTS = 200;
/** More points than any screen can show; a larger request is a mistake. */
export const MAX_K_POINTS = 5000;

export interface BandStructureOptions extends ModelOptions {
  /** Points along the whole path, 2 … {@link MAX_K_POINTS}; {@link DEFAULT_K_POINTS} by default. */
  readonly kPointCount?: number;
}

export interface BandStructure {
  /** Points of the path in fractions of the reciprocal vectors. */
  readonly kPoints: readonly Vec2[];
  /** Length along the path, in units of one over the mean edge, with the factor 2π. */
  readonly kDist: readonly number[];
  /**
   * `bands[n][p]`: energy of band n at point p, in the unit of the hoppings; bands are sorted by energy at
   * each point.
   */
  readonly bands: readonly (readonly number[])[];
  /** `kDist` at the corners of the path. */
  readonly hspNodes: readonly number[];
  readonly hspLabels: readonly string[];
  readonly model: TightBindingModel;
}

/**
 * Bands along the path of the net's plane group.
 * @throws TightBindingError `ratio-out-of-range`, `invalid-onsite`, `too-many-k-points` or `invalid-option`.
 * @example bandStructure({ net: netById('kgm'), t1: -1, t2: 0 }).bands[2] // the flat band: all +2
 */
export function bandStructure(options: BandStructureOptions): BandStructure {
  const count = checkedKPointCount(options.kPointCount ?? DEFAULT_K_POINTS);
  const model = createModel(options);
  return bandsOfModel(model, count);
}

/** Bands of a model with given hoppings, like `bandStructure`. */
export function bandsOfModel(
  model: TightBindingModel,
  kPointCount: number = DEFAULT_K_POINTS,
): BandStructure {
  const { planeGroup, latticeVectors } = model.net;
  const path = sampleKPath(
    kPathCorners(planeGroup, latticeVectors),
    latticeVectors,
    checkedKPointCount(kPointCount),
  );
  const solver = createBlochSolver(model);
  const bands = Array.from({ length: solver.size }, () =>
    Array.from({ length: path.kPoints.length }, (): number => 0),
  );
  path.kPoints.forEach((k, point) => {
    const energies = solver.energies(k);
    for (let band = 0; band < solver.size; band++) bands[band][point] = energies[band]!;
  });
  return { ...path, bands, model };
}

function checkedKPointCount(count: number): number {
  if (!Number.isInteger(count) || count < 2)
    throw new TightBindingError(
      'invalid-option',
      `the number of k-points is ${count}: expected an integer of 2 or more`,
    );
  if (count > MAX_K_POINTS)
    throw new TightBindingError(
      'too-many-k-points',
      `${count} k-points were asked for: at most ${MAX_K_POINTS} are calculated`,
      { limit: MAX_K_POINTS },
    );
  return count;
}

/** One line of a chart in the format of the page's plotting library. */
export interface PlotlyLine {
  readonly type: 'scatter';
  readonly mode: 'lines';
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface BandStructureWire {
  readonly k_dist: readonly number[];
  readonly plotly_data: readonly PlotlyLine[];
  readonly hsp_nodes: readonly number[];
  readonly hsp_labels: readonly string[];
}

/** Converts to the field names of the API call, with one trace per band. */
export const toBandStructureWire = ({
  kDist,
  bands,
  hspNodes,
  hspLabels,
}: BandStructure): BandStructureWire => ({
  k_dist: kDist,
  plotly_data: bands.map((energies, band) => ({
    type: 'scatter',
    mode: 'lines',
    name: `band ${band + 1}`,
    x: kDist,
    y: energies,
  })),
  hsp_nodes: hspNodes,
  hsp_labels: hspLabels,
});
