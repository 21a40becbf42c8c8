/** Corrects starting cells that are wrong by up to a few per cent, and finds which phases the pattern shows. */
import { type FitState, fit, mustStop, prepareLines } from './fit-state.ts';
import { covarianceOf, normalEquations } from './least-squares.ts';
import { evaluatePattern, linesOf } from './pattern-model.ts';
import { smoothedPoints } from './measured-points.ts';

/**
 * Full widths (degrees) of the smoothing. At each width, a line may be about that far from its final position.
 */
const COARSE_WIDTHS_DEG = [1.2, 0.5, 0.2] as const;

/** Strains that are tried, and a smoothing width at which the lines of neighbouring strains overlap. */
const STRAINS = { steps: 7, step: 0.0035, widthDeg: 0.5 } as const;

/** Minimum scale of a phase in units of its e.s.d. for refining its cell. */
const FOUND = 3;

const ALIGN = { maxCycles: 6, tolerance: 1e-3 } as const;

export const backgroundOf = ({ model: { layout } }: FitState): number[] => {
  const { background, humps } = layout;
  return [
    ...Array.from({ length: background.count }, (_, i) => background.first + i),
    ...Array.from({ length: 3 * humps.count }, (_, i) => humps.first + i),
  ];
};

export const scalesOf = ({ model }: FitState): number[] =>
  model.phases.flatMap(({ intensities }, p) => (intensities ? [] : [model.layout.phases[p].scale]));

/** Scale of every phase in units of its e.s.d.; infinite for phases with free intensities (Le Bail). */
export function significances(state: FitState): number[] {
  const { model, values, points } = state;
  const free = [...backgroundOf(state), ...scalesOf(state)];
  const { calculated, columns } = evaluatePattern(model, values, free);
  const equations = normalEquations(points.y, calculated, points.weights, columns);
  const { matrix } = covarianceOf(equations);
  const goodness = Math.max(1, equations.sum / Math.max(1, points.used - free.length));
  return model.phases.map(({ intensities }, p) => {
    if (intensities) return Number.POSITIVE_INFINITY;
    const { scale } = model.layout.phases[p];
    const place = free.indexOf(scale);
    const variance = matrix[place][place] * goodness;
    return variance > 0 ? values[scale] / Math.sqrt(variance) : 0;
  });
}

export const cellsOf = ({ model: { layout } }: FitState, strong: readonly boolean[]): number[] =>
  layout.phases.flatMap(({ cell, cellCount }, p) =>
    strong[p] ? Array.from({ length: cellCount }, (_, j) => cell + j) : [],
  );

/**
 * Fits cells to smoothed patterns, from coarse to fine, in three ways: crowded lines need little smoothing, a
 * wrong cell needs more, and a cell that is wrong by several per cent is found by trying strains. The best
 * result at the finest smoothing is then fitted to the measured pattern. It is kept if it fits better than the
 * start.
 */
export function alignCells(
  state: FitState,
  base: readonly number[],
  shift: readonly number[],
  before: number,
): number {
  const start = { values: state.values, model: state.model };
  const strong = significances(state).map((value) => value > FOUND);
  const cells = cellsOf(state, strong);
  const { w } = state.model.layout.common;
  const narrow = state.values[w];
  const smoothed = new Map(
    [...COARSE_WIDTHS_DEG].map((width) => [width, smoothedPoints(state.points, width)]),
  );
  const ways = [
    { widths: COARSE_WIDTHS_DEG.slice(-1), scans: false },
    { widths: COARSE_WIDTHS_DEG, scans: false },
    { widths: COARSE_WIDTHS_DEG.slice(1), scans: true },
  ].map(({ widths, scans }) => {
    state.values = Float64Array.from(start.values);
    state.model = start.model;
    if (scans) tryStrains(state);
    let sum = Number.POSITIVE_INFINITY;
    for (const width of widths) {
      if (mustStop(state)) break;
      const points = smoothed.get(width);
      if (!points) continue;
      state.values[w] = narrow + width * width;
      fit(state, base, { ...ALIGN, points });
      sum = fit(state, [...base, ...cells], { ...ALIGN, points });
    }
    return { values: state.values, model: state.model, sum };
  });
  const best = ways.reduce((one, other) => (other.sum < one.sum ? other : one));
  state.values = best.values;
  state.model = best.model;
  state.values[w] = narrow;
  prepareLines(state);
  const sum = fit(state, [...base, ...shift, ...cells], ALIGN);
  if (sum <= before) return sum;
  state.values = start.values;
  state.model = start.model;
  return before;
}

/**
 * Strains the cell of one phase after the other, the strongest first, so that its lines explain as much as
 * possible of the smoothed pattern that stronger phases leave.
 */
function tryStrains(state: FitState): void {
  const { model, values } = state;
  const { layout } = model;
  const { x, y, weights } = smoothedPoints(state.points, STRAINS.widthDeg);
  const strength = significances(state);
  const order = model.phases.flatMap(({ intensities }, p) => (intensities ? [] : [p]));
  order.sort((a, b) => strength[b] - strength[a]);
  const broad = Float64Array.from(values);
  broad[layout.common.w] += STRAINS.widthDeg ** 2;
  const rest = Float64Array.from(y);
  evaluatePattern({ ...model, x, phases: [] }, broad, []).background.forEach((level, i) => {
    rest[i] -= level;
  });
  for (const p of order) {
    const { scale, cell, cellCount } = layout.phases[p];
    let best: { strain: number; gain: number; scale: number; lines: Float64Array } | undefined;
    for (let step = -STRAINS.steps; step <= STRAINS.steps; step++) {
      const strain = step * STRAINS.step;
      const tried = Float64Array.from(broad);
      tried[scale] = 1;
      for (let j = cell; j < cell + cellCount; j++) tried[j] /= (1 + strain) ** 2;
      const lines = linesOf(model, tried, x, p);
      let [shared, own] = [0, 0];
      lines.forEach((value, i) => {
        shared += weights[i] * value * rest[i];
        own += weights[i] * value * value;
      });
      const gain = shared > 0 && own > 0 ? (shared * shared) / own : 0;
      if (!best || gain > best.gain) best = { strain, gain, scale: own > 0 ? shared / own : 0, lines };
    }
    if (!best || best.gain === 0) continue;
    const { strain, lines, scale: height } = best;
    values[scale] = height;
    for (let j = cell; j < cell + cellCount; j++) values[j] /= (1 + strain) ** 2;
    lines.forEach((value, i) => {
      rest[i] -= height * value;
    });
  }
}
