/**
 * Breadths of single lines. For each line, its Lorentzian width, area, position and a constant are fitted to
 * the pattern minus the rest of the refined model. The Gaussian width stays as refined (or as calibrated). With
 * a calibrated instrument, the Lorentzian width beyond that of the instrument is due to the sample, because
 * Lorentzian widths add.
 */
import { firstAtOrAbove } from '@unitcell/numerics';
import type { FitState } from './fit-state.ts';
import { covarianceOf, minimise, normalEquations } from './least-squares.ts';
import { lineAngles, withFreeIntensities } from './line-intensities.ts';
import { type Evaluation, evaluatePattern, type ModelPhase, type PatternModel } from './pattern-model.ts';
import { combineWidths, MIN_WIDTH_DEG, newLineWidth } from './peak-shape.ts';
import type { InstrumentProfile, LineBreadth } from './types.ts';
import { integralBreadth, lorentzBreadth } from './williamson-hall.ts';

/** Number of lines of a phase that are tried, strongest first. */
const MOST_LINES = 40;

/**
 * In units of the full width of a line. Lines closer than `joined` are fitted as one; within `own` a line must
 * dominate; the fit covers `window`.
 */
const WIDTHS = { joined: 0.15, own: 1, window: 4 } as const;

/** Minimum share of a line in the intensity within `WIDTHS.own`. */
const LEAST_OWN_SHARE = 0.75;

/** Wavelengths with at least this share of the weight of the first wavelength must be inside the window. */
const STRONG_WAVELENGTH = 0.2;

/** Breadths with a larger relative e.s.d. are discarded. */
const MOST_ESD = 0.25;

const RADIANS = Math.PI / 180;
const LEAST_POINTS = 12;
const FITTED = { maxCycles: 30, tolerance: 1e-6 } as const;

/** Widths in degrees of 2θ at an angle. */
function widthsAt({ u, v, w, x, y }: Pick<InstrumentProfile, 'u' | 'v' | 'w' | 'x' | 'y'>, theta: number) {
  const tan = Math.tan(theta);
  const gauss = Math.sqrt(Math.max(MIN_WIDTH_DEG ** 2, u * tan * tan + v * tan + w));
  return { gauss, lorentz: x / Math.cos(theta) + y * tan };
}

function shapeOf(gauss: number, lorentz: number): { h: number; breadth: number } {
  const width = newLineWidth();
  combineWidths(gauss, lorentz, width);
  return { h: width.h, breadth: integralBreadth(width.h, width.eta) };
}

/** The phase reduced to the chosen lines. */
function withLines(phase: ModelPhase, chosen: readonly number[]): ModelPhase {
  const { lines, metric, intensities } = phase;
  const n = metric.basis.length;
  return {
    ...phase,
    lines: {
      ...lines,
      count: chosen.length,
      q: Float64Array.from(chosen.flatMap((line) => [...lines.q.subarray(line * n, (line + 1) * n)])),
      strength: Float64Array.from(chosen, (line) => lines.strength[line]),
      g: Float64Array.from(chosen, (line) => lines.g[line]),
      tails: chosen.map((line) => lines.tails[line]),
    },
    intensities: Float64Array.from(chosen, (line) => intensities?.[line] ?? 0),
  };
}

/**
 * Breadths of the isolated lines of every phase, in order of rising angle.
 * @param instrument widths of a calibrated instrument; without it only total breadths are returned
 * @param factor of Bérar and Lelann, which multiplies the e.s.d.
 */
export function lineBreadths(
  state: FitState,
  instrument: InstrumentProfile | undefined,
  factor: number,
): LineBreadth[][] {
  const model = withFreeIntensities(state.model, state.values, () => true);
  const whole = evaluatePattern(model, state.values, []);
  return model.phases.map((phase, p) => {
    const { twoThetaDeg } = lineAngles(state, p);
    return groupsOf(state, phase, p, twoThetaDeg)
      .flatMap((group) => fittedLine(state, model, whole, p, group, instrument, factor) ?? [])
      .sort((a, b) => a.twoThetaDeg - b.twoThetaDeg);
  });
}

/** Lines so close that they are fitted as one. */
interface Group {
  readonly lines: readonly number[];
  /** The strongest line of the group. */
  readonly line: number;
  readonly twoThetaDeg: number;
}

const refinedWidths = ({ model, values }: FitState, p: number, theta: number) => {
  const { common, phases } = model.layout;
  const of = (parameter: number): number => values[parameter];
  return widthsAt(
    { u: of(common.u), v: of(common.v), w: of(common.w), x: of(phases[p].x), y: of(phases[p].y) },
    theta,
  );
};

/** Groups of lines that nearly coincide, strongest groups first. */
function groupsOf(state: FitState, phase: ModelPhase, p: number, angles: readonly number[]): Group[] {
  const intensities = phase.intensities ?? new Float64Array(angles.length);
  const order = [...angles.keys()].filter((line) => angles[line] < 175).sort((a, b) => angles[a] - angles[b]);
  const groups: number[][] = [];
  for (const line of order) {
    const last = groups.at(-1);
    const { gauss, lorentz } = refinedWidths(state, p, (angles[line] * RADIANS) / 2);
    const reach = WIDTHS.joined * shapeOf(gauss, lorentz).h;
    if (last && angles[line] - angles[last[last.length - 1]] < reach) last.push(line);
    else groups.push([line]);
  }
  const intensityOf = (lines: readonly number[]): number =>
    lines.reduce((sum, line) => sum + intensities[line], 0);
  return groups
    .sort((a, b) => intensityOf(b) - intensityOf(a))
    .slice(0, MOST_LINES)
    .map((lines) => {
      const line = lines.reduce((best, other) => (intensities[other] > intensities[best] ? other : best));
      return { lines, line, twoThetaDeg: angles[line] };
    });
}

/** Returns undefined if the line is not isolated or too weak. */
function fittedLine(
  state: FitState,
  model: PatternModel,
  whole: Evaluation,
  p: number,
  { lines, line, twoThetaDeg }: Group,
  instrument: InstrumentProfile | undefined,
  factor: number,
): LineBreadth | undefined {
  const { points } = state;
  const { layout, radiation } = model;
  const own = layout.phases[p];
  const { zero } = layout.common;
  const theta = (twoThetaDeg * RADIANS) / 2;
  const cos = Math.cos(theta);
  const { gauss, lorentz } = refinedWidths(state, p, theta);
  const { h } = shapeOf(gauss, lorentz);
  const reach = reachOf(radiation, theta);
  const [first, last] = [twoThetaDeg - WIDTHS.window * h, twoThetaDeg + reach + WIDTHS.window * h];
  const from = firstAtOrAbove(points.x, first);
  const to = firstAtOrAbove(points.x, last);
  const [x, weights] = [points.x.subarray(from, to), points.weights.subarray(from, to)];
  const counted = weights.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
  if (counted < LEAST_POINTS || counted < x.length || x[0] > first + h || x[x.length - 1] < last - h)
    return undefined;

  const local: PatternModel = {
    ...model,
    x,
    layout: { ...layout, phases: [own] },
    phases: [withLines(model.phases[p], lines)],
  };
  const values = Float64Array.from(state.values);
  const evaluated = (free: readonly number[]) => {
    const { calculated, background, columns } = evaluatePattern(local, values, free);
    return { peak: calculated.map((value, i) => value - background[i]), columns };
  };
  const { peak: before } = evaluated([]);
  let [ours, together] = [0, 0];
  before.forEach((value, i) => {
    if (Math.abs(x[i] - twoThetaDeg) > WIDTHS.own * h) return;
    ours += value;
    together += whole.calculated[from + i] - whole.background[from + i];
  });
  if (!(ours > LEAST_OWN_SHARE * together)) return undefined;

  const observed = before.map((value, i) => points.y[from + i] - whole.calculated[from + i] + value);
  const equationsAt = ([area, shift, width, constant]: Float64Array) => {
    values[own.x] = width * cos;
    values[own.y] = 0;
    values[zero] = state.values[zero] + shift;
    const { peak, columns } = evaluated([zero, own.x]);
    return normalEquations(
      observed,
      peak.map((value) => area * value + constant),
      weights,
      [
        peak,
        columns[0].map((value) => area * value),
        columns[1].map((value) => area * cos * value),
        new Float64Array(x.length).fill(1),
      ],
    );
  };
  const limits = [
    { min: 0.1, max: 10 },
    { min: -h / 2, max: h / 2 },
    { min: 0, max: 10 * h },
    { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY },
  ];
  const fit = minimise(
    Float64Array.of(1, 0, lorentz, 0),
    [0, 1, 2, 3],
    limits,
    equationsAt,
    () => true,
    FITTED,
  );
  const width = fit.values[2];
  const variance = covarianceOf(equationsAt(fit.values)).matrix[2][2];
  const misfit = Math.max(1, fit.sum / (x.length - limits.length));
  const esd = factor * Math.sqrt(misfit * variance);
  const { breadth } = shapeOf(gauss, width);
  const slope = (shapeOf(gauss, width + esd).breadth - breadth) / (esd || 1);
  if (!fit.converged || !(esd > 0 && lorentzBreadth(esd) < MOST_ESD * breadth)) return undefined;
  const common = {
    twoThetaDeg,
    hkl: hklOf(model.phases[p], line),
    breadthDeg: { value: breadth, esd: slope * esd },
  };
  if (!instrument) return common;
  const ideal = widthsAt(instrument, theta);
  return {
    ...common,
    instrumentDeg: shapeOf(ideal.gauss, ideal.lorentz).breadth,
    sampleDeg: { value: lorentzBreadth(width - ideal.lorentz), esd: lorentzBreadth(esd) },
  };
}

const hklOf = ({ lines: { hkl } }: ModelPhase, line: number): LineBreadth['hkl'] => [
  hkl[3 * line],
  hkl[3 * line + 1],
  hkl[3 * line + 2],
];

/** Distance in degrees between the lines of the first and the last strong wavelength. */
function reachOf(radiation: PatternModel['radiation'], theta: number): number {
  const [strongest] = radiation;
  const angles = radiation
    .filter(({ weight }) => weight >= STRONG_WAVELENGTH * strongest.weight)
    .map(({ wavelength }) => Math.asin(Math.min(1, (Math.sin(theta) * wavelength) / strongest.wavelength)));
  return (2 * (Math.max(...angles) - theta)) / RADIANS;
}
