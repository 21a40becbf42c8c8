/**
 * Exactly flat bands: their energy, their multiplicity, and a compact localised state that proves it.
 *
 * Since det(H(k) − E) is a polynomial in exp(2πi kx) and exp(2πi ky), a level found at several unrelated points
 * exists everywhere. The proof is a state on a few cells that is an eigenstate of H with energy E; its
 * translated copies span a flat band.
 */
import type { FlatBandLevel } from '../net.ts';
import type { Vec2 } from '../periodic-graph.ts';
import { createBlochSolver } from './bloch-solver.ts';
import type { TightBindingModel } from './model.ts';

/**
 * Levels that differ by less than this (in units of the hoppings) are equal: eigenvalues are accurate to
 * about 1e-13, and the k-points are generic.
 */
export const FLATNESS_TOLERANCE = 1e-8;
/**
 * Amplitudes smaller than this are zero in the elimination for localised states (entries are sums of a few hoppings).
 */
export const ELIMINATION_TOLERANCE = 1e-9;
/** Limit on the amplitudes of a localised state, because the cost of elimination grows with the cube. */
export const MAX_LOCALISED_UNKNOWNS = 600;

/** Generic k-points, without a rational relation to the reciprocal lattice. */
const GENERIC_POINTS: readonly Vec2[] = [
  [0.137_035_999, 0.271_828_183],
  [0.414_213_562, 0.057_721_567],
  [0.318_309_886, 0.439_156_271],
  [0.223_606_798, 0.161_803_399],
];

/** Energies that are band energies at every k, ascending, with the number of bands at each energy. */
export function flatBandLevels(model: TightBindingModel): FlatBandLevel[] {
  const solver = createBlochSolver(model);
  const levels = (k: Vec2): FlatBandLevel[] => {
    const found: { energy: number; multiplicity: number }[] = [];
    for (const energy of solver.energies(k)) {
      const last = found.at(-1);
      if (last && energy - last.energy < FLATNESS_TOLERANCE) last.multiplicity++;
      else found.push({ energy, multiplicity: 1 });
    }
    return found;
  };
  let common = levels(GENERIC_POINTS[0]);
  for (const k of GENERIC_POINTS.slice(1)) {
    const here = levels(k);
    common = common.flatMap(({ energy, multiplicity }) => {
      const match = here.find((level) => Math.abs(level.energy - energy) < FLATNESS_TOLERANCE);
      return match ? [{ energy, multiplicity: Math.min(multiplicity, match.multiplicity) }] : [];
    });
    if (common.length === 0) break;
  }
  const tidy = (energy: number) => {
    const nearest = Math.round(energy) + 0;
    return Math.abs(energy - nearest) < FLATNESS_TOLERANCE ? nearest : energy;
  };
  return common.map(({ energy, multiplicity }) => ({ energy: tidy(energy), multiplicity }));
}

export interface LocalisedState {
  /** Amplitudes, scaled to a largest value of 1; sites with zero amplitude are omitted. */
  readonly amplitudes: readonly {
    readonly site: number;
    readonly dx: number;
    readonly dy: number;
    readonly amplitude: number;
  }[];
}

/**
 * A state on as few cells as possible that is an eigenstate of the infinite lattice at `energy`, or undefined if none
 * fits into the largest window tried or the model has complex hoppings.
 */
export function compactLocalisedState(model: TightBindingModel, energy: number): LocalisedState | undefined {
  if (model.hoppings.some(({ im }) => im !== 0)) return undefined;
  const sites = model.net.positions.length;
  for (const [width, height] of [
    [1, 1],
    [2, 1],
    [1, 2],
    [2, 2],
    [3, 2],
    [2, 3],
    [3, 3],
    [4, 4],
    [5, 5],
  ] as const) {
    if (width * height * sites > MAX_LOCALISED_UNKNOWNS) return undefined;
    const vector = localisedIn(model, energy, width, height);
    if (vector) return vector;
  }
  return undefined;
}

function localisedIn(
  model: TightBindingModel,
  energy: number,
  width: number,
  height: number,
): LocalisedState | undefined {
  const sites = model.net.positions.length;
  const unknowns = width * height * sites;
  const rows = new Map<string, Float64Array>();
  const add = (site: number, x: number, y: number, column: number, value: number) => {
    const key = `${site},${x},${y}`;
    const row = rows.get(key) ?? new Float64Array(unknowns);
    rows.set(key, row);
    row[column] += value;
  };
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) {
      const column = (x * height + y) * sites;
      model.onsite.forEach((own, site) => add(site, x, y, column + site, own - energy));
      for (const { from, to, dx, dy, re } of model.hoppings) {
        add(to, x + dx, y + dy, column + from, re);
        add(from, x - dx, y - dy, column + to, re);
      }
    }
  const vector = sparsestNullVector([...rows.values()], unknowns);
  if (!vector) return undefined;
  const largest = vector.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
  const amplitudes = Array.from(vector, (value, column) => {
    const cell = Math.floor(column / sites);
    return {
      site: column % sites,
      dx: Math.floor(cell / height),
      dy: cell % height,
      amplitude: value / largest,
    };
  }).filter(({ amplitude }) => Math.abs(amplitude) > ELIMINATION_TOLERANCE);
  return { amplitudes };
}

/**
 * The sparsest null vector among those with a single free unknown, after elimination; overwrites the rows.
 */
function sparsestNullVector(rows: Float64Array[], unknowns: number): Float64Array | undefined {
  const pivotColumns: number[] = [];
  let used = 0;
  for (let column = 0; column < unknowns && used < rows.length; column++) {
    let best = used;
    for (let r = used + 1; r < rows.length; r++)
      if (Math.abs(rows[r][column]) > Math.abs(rows[best][column])) best = r;
    if (Math.abs(rows[best][column]) < ELIMINATION_TOLERANCE) continue;
    [rows[used], rows[best]] = [rows[best], rows[used]];
    const pivot = rows[used];
    const scale = pivot[column];
    for (let c = column; c < unknowns; c++) pivot[c] /= scale;
    for (let r = 0; r < rows.length; r++) {
      const factor = rows[r][column];
      if (r === used || factor === 0) continue;
      const row = rows[r];
      for (let c = column; c < unknowns; c++) row[c] -= factor * pivot[c];
    }
    pivotColumns.push(column);
    used++;
  }
  const isPivot = new Set(pivotColumns);
  let sparsest: Float64Array | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (let free = 0; free < unknowns; free++) {
    if (isPivot.has(free)) continue;
    const vector = new Float64Array(unknowns);
    vector[free] = 1;
    pivotColumns.forEach((column, r) => (vector[column] = -rows[r][free]));
    const entries = vector.reduce(
      (count, value) => count + (Math.abs(value) > ELIMINATION_TOLERANCE ? 1 : 0),
      0,
    );
    if (entries < fewest) [sparsest, fewest] = [vector, entries];
  }
  return sparsest;
}
