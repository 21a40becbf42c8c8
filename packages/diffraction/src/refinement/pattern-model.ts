/**
 * The calculated pattern and its derivatives with respect to every parameter.
 *
 * y(2θ) = background + Σ w S m|F|² LP(θ) T exp(−B g/2) Φ(2θ − 2θ_line), g = 1/d². Position, widths and the
 * Lorentz–polarisation factor depend on the cell only through g. The derivatives with respect to all
 * parameters of the cell therefore follow from the derivative with respect to g. Strengths m|F|², angles to
 * the texture axis and axial divergence are those of the cell for which the lines were last prepared.
 */
import { firstAtOrAbove, type Vec3 } from '@unitcell/numerics';
import { axialNodes, type AxialShape, newAxialNodes } from './axial-divergence.ts';
import type { CellMetric } from './cell-metric.ts';
import { BYTES, type KernelArrays, withArrays } from './kernel-arrays.ts';
import type { ParameterLayout } from './parameters.ts';
import { combineWidths, LONG_TAILS, MIN_WIDTH_DEG, newLineWidth, type Tails } from './peak-shape.ts';
import { marchFactor, type PhaseLines } from './phase-reflections.ts';
import type { RadiationLine } from './types.ts';

export interface ModelPhase {
  readonly metric: CellMetric;
  readonly lines: PhaseLines;
  /**
   * Plane normal of the texture axis, and squared cosines of the angles between it and the normals of all
   * reflections.
   */
  readonly texture?: { readonly axis: Vec3; readonly cosines: Float64Array } | undefined;
  /** Le Bail: integrated intensities, summed over all wavelengths, that replace S m|F|² LP T. */
  readonly intensities?: Float64Array | undefined;
  /**
   * The precalculated pattern of the phase at scale 1. If it is set, only the scale of the phase can be
   * refined.
   */
  readonly pattern?: Float64Array | undefined;
}

export interface PatternModel {
  readonly x: Float64Array;
  /** Relative intensities of the wavelengths; they add up to 1. */
  readonly radiation: readonly RadiationLine[];
  /** K of (1 + K cos² 2θ) / (1 + K). */
  readonly polarisation: number;
  readonly illumination: Illumination;
  readonly axial: AxialShape;
  readonly layout: ParameterLayout;
  readonly phases: readonly ModelPhase[];
}

/**
 * How the irradiated amount of sample changes with the angle. It is constant for a thick sample behind a fixed
 * slit.
 */
export interface Illumination {
  /** Whether the slit keeps the irradiated length constant, so that the amount grows with sin θ. */
  readonly isSlitVariable: boolean;
  /** μt of a thin flat sample. Its amount is that of a thick sample times 1 − exp(−2 μt / sin θ). */
  readonly thickness?: number | undefined;
}

/** Contribution of one line at one wavelength: `area` × `shape[0 … count − 1]` from point `from` on. */
export type LineVisitor = (line: {
  readonly phase: number;
  readonly line: number;
  readonly area: number;
  readonly from: number;
  readonly count: number;
  readonly shape: Float64Array;
}) => void;

export interface Evaluation {
  readonly calculated: Float64Array;
  readonly background: Float64Array;
  /** One column for every free parameter, in the order of `free`. */
  readonly columns: readonly Float64Array[];
}

const RADIANS = Math.PI / 180;

/** sin² θ beyond which a line is left out: 2θ of 176°. */
const MAX_SIN_SQUARED = 0.9988;

/**
 * Distance from the copies of a line, in full widths, within which the asymmetry by axial divergence is calculated; the
 * spread of the copies is added. Farther away their mean shift is sufficient: it differs by less than 4e-4 of the height.
 */
const NEAR = 2;

const HUMP_EXPONENT = 4 * Math.LN2;

/**
 * Cache, by array of angles, of the Chebyshev polynomials of the first kind over their range: every
 * evaluation needs the same ones.
 */
const polynomials = new WeakMap<Float64Array, Float64Array[]>();

function polynomialsOf(x: Float64Array, count: number): readonly Float64Array[] {
  if (count === 0) return [];
  const known = polynomials.get(x);
  if (known && known.length >= count) return known.slice(0, count);
  const middle = (x[0] + x[x.length - 1]) / 2;
  const half = (x[x.length - 1] - x[0]) / 2;
  const first = x.map((value) => (value - middle) / half);
  const all = [new Float64Array(x.length).fill(1), first];
  while (all.length < count) {
    const [previous, current] = all.slice(-2);
    all.push(current.map((value, i) => 2 * first[i] * value - previous[i]));
  }
  polynomials.set(x, all);
  return all.slice(0, count);
}

/**
 * Lorentz–polarisation factor and irradiated amount, and the logarithmic derivative of their product with
 * respect to s = sin² θ.
 */
export function angularFactor(
  s: number,
  { polarisation: k, illumination }: Pick<PatternModel, 'polarisation' | 'illumination'>,
): { value: number; logSlope: number } {
  const cosTwo = 1 - 2 * s;
  const polarised = 1 + k * cosTwo * cosTwo;
  let value = polarised / ((1 + k) * s * Math.sqrt(1 - s));
  let logSlope = (-4 * k * cosTwo) / polarised - 1 / s + 0.5 / (1 - s);
  if (illumination.isSlitVariable) {
    value *= Math.sqrt(s);
    logSlope += 0.5 / s;
  }
  if (illumination.thickness !== undefined) {
    const path = (2 * illumination.thickness) / Math.sqrt(s);
    const amount = -Math.expm1(-path);
    value *= amount;
    logSlope -= (path * Math.exp(-path)) / (2 * s * amount);
  }
  return { value, logSlope };
}

const evenBelow = (index: number): number => index & ~1;
const evenAbove = (index: number): number => (index + 1) & ~1;

/** A pattern and its derivatives in the memory of the kernel, as addresses. */
export interface Drawing {
  readonly background: number;
  readonly calculated: number;
  /** In the order of `free`. */
  readonly columns: readonly number[];
  /** Replaces the arrays by those for these values; the columns only if they are needed. */
  draw(values: Float64Array, needsColumns: boolean, visit?: LineVisitor): void;
}

// Data of one line at one wavelength. The objects are reused for every line: new ones would get new layouts,
// for which the engine would compile the loops again.
const width = newLineWidth();
const copies = newAxialNodes();
const spot = {
  perG: Number.NaN,
  sinSquared: Number.NaN,
  sin: Number.NaN,
  cos: Number.NaN,
  tan: Number.NaN,
  gauss: Number.NaN,
  position: Number.NaN,
  isFloor: false,
  nodes: copies,
  tails: LONG_TAILS,
  from: 0,
  to: 0,
  near: 0,
  far: 0,
};

/** Where the parameters of a phase are among all values. */
type Places = ParameterLayout['phases'][number];

/** @param free indices of the parameters whose derivatives are wanted */
export function drawingOf(
  { memory, run, table, zeros, put }: KernelArrays,
  model: PatternModel,
  free: readonly number[],
): Drawing {
  const { addShape, addShapeValue, addTimes, addWidth, combine, clear } = run;
  const { x, layout, radiation, polarisation, illumination, axial } = model;
  const { common, humps } = layout;
  const points = x.length;
  const angles = put(x);
  const terms = polynomialsOf(x, layout.background.count).map(put);
  // Every phase gets an object with the same fields; otherwise the engine would compile the loop over the
  // lines again and again.
  const lighting = { polarisation, illumination };
  const phases = model.phases.map(({ metric, lines, texture, intensities, pattern }, p) => ({
    own: layout.phases[p],
    parameters: metric.basis.length,
    lines,
    cosines: intensities ? undefined : texture?.cosines,
    intensities,
    pattern: pattern && put(pattern),
  }));
  const background = zeros(points);
  const calculated = zeros(points);
  /** Columns that do not depend on the values of the parameters. */
  const constant = new Map(terms.map((term, i) => [layout.background.first + i, term]));
  for (const { own, pattern } of phases) if (pattern !== undefined) constant.set(own.scale, pattern);
  const firstColumn = memory.mark;
  const columns = free.map((parameter) => constant.get(parameter) ?? zeros(points));
  const endOfColumns = memory.mark;
  // The shape of a line and its derivatives with respect to position, H and η.
  const shape = zeros(points);
  const stride = memory.mark - shape;
  for (let i = 0; i < 3; i++) zeros(points);
  // A line at all wavelengths: its shape at scale 1, and its derivative with respect to g. Both arrays are
  // set to zero again after each line.
  const whole = zeros(points);
  const byG = zeros(points);
  const byShift = shape + stride;
  /** Addresses of the columns by parameter; 0 means that there is no column. */
  const allColumns = new Uint32Array(layout.specs.length);
  for (const [i, parameter] of free.entries()) allColumns[parameter] = columns[i];
  const noColumns = new Uint32Array(layout.specs.length);

  /** The background is a sum of Chebyshev polynomials and broad Gaussian humps. */
  const drawBackground = (values: Float64Array, columnOf: Uint32Array): void => {
    const { doubles } = memory;
    const sum = background / BYTES;
    doubles.fill(0, sum, sum + points);
    terms.forEach((term, i) => addTimes(background, 0, points, values[layout.background.first + i], term));
    for (let hump = 0; hump < humps.count; hump++) {
      const at = humps.first + 3 * hump;
      const [height, position, fullWidth] = [values[at], values[at + 1], values[at + 2]];
      const [byHeight, byPosition, byWidth] = [0, 1, 2].map((i) => columnOf[at + i] / BYTES);
      for (let i = 0; i < points; i++) {
        const u = (x[i] - position) / fullWidth;
        const bell = Math.exp(-HUMP_EXPONENT * u * u);
        doubles[sum + i] += height * bell;
        if (byHeight) doubles[byHeight + i] = bell;
        if (byPosition) doubles[byPosition + i] = (2 * HUMP_EXPONENT * height * u * bell) / fullWidth;
        if (byWidth) doubles[byWidth + i] = (2 * HUMP_EXPONENT * height * u * u * bell) / fullWidth;
      }
    }
    doubles.copyWithin(calculated / BYTES, sum, sum + points);
  };

  // The work on a line is divided among several functions. The engine compiles a function again whenever it
  // meets a new case; a single large function took as long to compile as to run.

  /** Places a line. @returns false if no point is within its reach */
  function place(
    values: Float64Array,
    own: Places,
    g: number,
    preparedG: number,
    wavelength: number,
    tails: Tails,
  ): boolean {
    const perG = (wavelength * wavelength) / 4;
    const sinSquared = perG * g;
    if (!(sinSquared > 0 && sinSquared < MAX_SIN_SQUARED)) return false;
    const sin = Math.sqrt(sinSquared);
    const cos = Math.sqrt(1 - sinSquared);
    const tan = sin / cos;
    const position = (2 * Math.asin(sin)) / RADIANS + values[common.zero] + values[common.displacement] * cos;
    const square = values[common.u] * tan * tan + values[common.v] * tan + values[common.w];
    const isFloor = square <= MIN_WIDTH_DEG * MIN_WIDTH_DEG;
    const gauss = isFloor ? MIN_WIDTH_DEG : Math.sqrt(square);
    combineWidths(gauss, values[own.x] / cos + values[own.y] * tan, width);
    const nodes = axialNodes(
      values[common.axial],
      axial,
      2 * Math.asin(Math.min(1, Math.sqrt(perG * preparedG))),
      width.h,
      copies,
    );
    // All nodes are on the same side of the line; the first node is the farthest.
    const least = Math.min(0, nodes.offset[0]);
    const most = Math.max(0, nodes.offset[0]);
    const half = tails.reach * width.h;
    const begin = firstAtOrAbove(x, position + nodes.mean - half);
    const stop = firstAtOrAbove(x, position + nodes.mean + half);
    if (stop <= begin) return false;
    // The kernel works on pairs of points; a point beyond the reach of the line adds nothing.
    const [from, to] = [evenBelow(begin), evenAbove(stop)];
    const isSingle = nodes.count === 1;
    const beyond = NEAR * width.h + (most - least);
    const near = isSingle ? from : Math.max(begin, firstAtOrAbove(x, position + least - beyond));
    const far = isSingle ? from : Math.max(near, Math.min(stop, firstAtOrAbove(x, position + most + beyond)));
    spot.perG = perG;
    spot.sinSquared = sinSquared;
    spot.sin = sin;
    spot.cos = cos;
    spot.tan = tan;
    spot.gauss = gauss;
    spot.position = position;
    spot.isFloor = isFloor;
    spot.nodes = nodes;
    spot.tails = tails;
    spot.from = from;
    spot.to = to;
    spot.near = near;
    spot.far = far;
    return true;
  }

  /** Adds a copy of the line and its derivatives to the arrays of the shape. */
  function addSlopes(start: number, limit: number, offset: number, share: number): void {
    if (limit <= start) return;
    const { position, tails } = spot;
    const { h, eta } = width;
    const { reach, level, scale } = tails;
    const at = position + offset;
    addShape(angles, start, limit, at, h, eta, reach, level, scale, share, table, shape, stride);
  }

  /** Adds a copy of the line to an array. */
  function addValue(start: number, limit: number, offset: number, share: number, sum: number): void {
    if (limit <= start) return;
    const { position, tails } = spot;
    const { h, eta } = width;
    const { reach, level, scale } = tails;
    const at = position + offset;
    addShapeValue(angles, start, limit, at, h, eta, reach, level, scale, share, table, sum);
  }

  /** Draws the copies of the line: with derivatives into the arrays of the shape, otherwise into `sum`. */
  function drawCopies(needsSlopes: boolean, sum: number, height: number): void {
    const { from, to, near, far, nodes } = spot;
    if (needsSlopes) {
      clear(shape, stride, 4, from, to);
      addSlopes(from, near, nodes.mean, 1);
      addSlopes(far, to, nodes.mean, 1);
      for (let node = nodes.count === 1 ? 1 : 0; node < nodes.count; node++)
        addSlopes(near, far, nodes.offset[node], nodes.weight[node]);
      return;
    }
    if (sum === shape) clear(shape, stride, 1, from, to);
    addValue(from, near, nodes.mean, height, sum);
    addValue(far, to, nodes.mean, height, sum);
    for (let node = nodes.count === 1 ? 1 : 0; node < nodes.count; node++)
      addValue(near, far, nodes.offset[node], height * nodes.weight[node], sum);
  }

  /** Adds the derivatives with respect to the shift and the widths. */
  function addShiftsAndWidths(columnOf: Uint32Array, own: Places, area: number): void {
    const [byZero, byDisplacement] = [columnOf[common.zero], columnOf[common.displacement]];
    const { from, to, cos, tan, gauss, isFloor } = spot;
    if (byZero) addTimes(byZero, from, to, area, byShift);
    if (byDisplacement) addTimes(byDisplacement, from, to, area * cos, byShift);
    const widen = (column: number, byH: number, byEta: number): void => {
      if (column) addWidth(column, from, to, byH, byEta, shape, stride);
    };
    if (!isFloor) {
      const each = area / (2 * gauss);
      const [byH, byEta] = [each * width.hByGauss, each * width.etaByGauss];
      widen(columnOf[common.u], tan * tan * byH, tan * tan * byEta);
      widen(columnOf[common.v], tan * byH, tan * byEta);
      widen(columnOf[common.w], byH, byEta);
    }
    const [byH, byEta] = [area * width.hByLorentz, area * width.etaByLorentz];
    widen(columnOf[own.x], byH / cos, byEta / cos);
    widen(columnOf[own.y], byH * tan, byEta * tan);
  }

  /** Adds the derivative with respect to g; `areaSlope` is that of the area. */
  function addByG(values: Float64Array, own: Places, area: number, areaSlope: number): void {
    const { from, to, perG, sin, cos, tan, gauss, isFloor } = spot;
    // Derivative of θ (radians) with respect to g; the other derivatives follow from it by the chain rule.
    const thetaByG = perG / (2 * sin * cos);
    const gaussByG = isFloor
      ? 0
      : ((2 * values[common.u] * tan + values[common.v]) * thetaByG) / (2 * gauss * cos * cos);
    const lorentzByG = ((values[own.x] * sin + values[own.y]) * thetaByG) / (cos * cos);
    const positionByG = (2 / RADIANS - values[common.displacement] * sin) * thetaByG;
    const hByG = width.hByGauss * gaussByG + width.hByLorentz * lorentzByG;
    const etaByG = width.etaByGauss * gaussByG + width.etaByLorentz * lorentzByG;
    combine(byG, from, to, areaSlope, area * positionByG, area * hByG, area * etaByG, shape, stride);
  }

  /** Adds the derivative with respect to the axial divergence. Overwrites the shape. */
  function addAxial(byAxial: number, area: number): void {
    const { from, to, near, far, nodes } = spot;
    addTimes(byAxial, from, near, area * nodes.meanSlope, byShift);
    addTimes(byAxial, far, to, area * nodes.meanSlope, byShift);
    for (let node = 0; node < nodes.count; node++) {
      clear(shape, stride, 2, near, far);
      addSlopes(near, far, nodes.offset[node], 1);
      addTimes(byAxial, near, far, area * nodes.weightSlope[node], shape);
      addTimes(byAxial, near, far, area * nodes.weight[node] * nodes.offsetSlope[node], byShift);
    }
  }

  function drawPhase(
    phase: number,
    values: Float64Array,
    columnOf: Uint32Array,
    needsColumns: boolean,
    visit: LineVisitor | undefined,
  ): void {
    const { own, parameters: n, lines, cosines, intensities, pattern } = phases[phase];
    const scale = intensities ? 1 : values[own.scale];
    if (pattern !== undefined) {
      addTimes(calculated, 0, points, scale, pattern);
      return;
    }
    const [march, b] = [values[own.march], values[own.b]];
    const [byScale, byMarch, byB] = [columnOf[own.scale], columnOf[own.march], columnOf[own.b]];
    const byCell = columnOf.subarray(own.cell, own.cell + n);
    const cellIsFree = byCell.some((column) => column > 0);
    const byAxial = columnOf[common.axial];
    // The derivatives of the shape take most of the time; scales, background, B and texture do not need them.
    const { zero, displacement, u, v, w } = common;
    const needsSlopes =
      cellIsFree ||
      [zero, displacement, u, v, w, common.axial, own.x, own.y].some((one) => columnOf[one] > 0);
    const isBuffered = needsSlopes || visit !== undefined;
    for (let line = 0; line < lines.count; line++) {
      let g = 0;
      for (let j = 0; j < n; j++) g += values[own.cell + j] * lines.q[line * n + j];
      const oriented = cosines && marchFactor(lines, cosines, line, march);
      const strength = lines.strength[line] * Math.exp((-b * g) / 2);
      const tails = intensities ? LONG_TAILS : lines.tails[line];
      let [first, end] = [points, 0];
      for (const { wavelength, weight } of radiation) {
        if (!place(values, own, g, lines.g[line], wavelength, tails)) continue;
        const { from, to, perG } = spot;
        const lp = angularFactor(spot.sinSquared, lighting);
        const perScale =
          weight * (intensities ? intensities[line] : strength * lp.value * (oriented?.factor ?? 1));
        const area = scale * perScale;
        const [drawn, height] = needsColumns ? [whole, perScale] : [calculated, area];
        drawCopies(needsSlopes, isBuffered ? shape : drawn, isBuffered ? 1 : height);
        if (isBuffered) addTimes(drawn, from, to, height, shape);
        visit?.({
          phase,
          line,
          area,
          from,
          count: Math.min(to, points) - from,
          shape: memory.doubles.subarray(shape / BYTES + from, shape / BYTES + to),
        });
        [first, end] = [Math.min(first, from), Math.max(end, to)];
        if (!needsSlopes) continue;
        addShiftsAndWidths(columnOf, own, area);
        if (cellIsFree) addByG(values, own, area, intensities ? 0 : area * (lp.logSlope * perG - b / 2));
        if (byAxial && spot.nodes.count > 1) addAxial(byAxial, area);
      }
      if (!needsColumns || end <= first) continue;
      addTimes(calculated, first, end, scale, whole);
      if (!intensities) {
        if (byScale) addTimes(byScale, first, end, 1, whole);
        if (byB) addTimes(byB, first, end, (-scale * g) / 2, whole);
        if (oriented && byMarch)
          addTimes(byMarch, first, end, (scale * oriented.slope) / oriented.factor, whole);
      }
      clear(whole, 0, 1, first, end);
      if (!cellIsFree) continue;
      for (let j = 0; j < n; j++) if (byCell[j]) addTimes(byCell[j], first, end, lines.q[line * n + j], byG);
      clear(byG, 0, 1, first, end);
    }
  }

  function draw(values: Float64Array, needsColumns: boolean, visit?: LineVisitor): void {
    const columnOf = needsColumns ? allColumns : noColumns;
    if (needsColumns) memory.doubles.fill(0, firstColumn / BYTES, endOfColumns / BYTES);
    drawBackground(values, columnOf);
    for (const phase of phases.keys()) drawPhase(phase, values, columnOf, needsColumns, visit);
  }
  return { background, calculated, columns, draw };
}

/** @param free indices of the parameters whose derivatives are wanted */
export const evaluatePattern = (
  model: PatternModel,
  values: Float64Array,
  free: readonly number[],
  visit?: LineVisitor,
): Evaluation =>
  withArrays((arrays) => {
    const { background, calculated, columns, draw } = drawingOf(arrays, model, free);
    draw(values, free.length > 0, visit);
    const copied = (address: number): Float64Array => arrays.copy(address, model.x.length);
    return {
      background: copied(background),
      calculated: copied(calculated),
      columns: columns.map(copied),
    };
  });

const NONE = { first: 0, count: 0 } as const;

/** The model reduced to one phase without background, at other angles. */
export const aloneOn = (model: PatternModel, x: Float64Array, phase: number): PatternModel => ({
  ...model,
  x,
  phases: [model.phases[phase]],
  layout: { ...model.layout, background: NONE, humps: NONE, phases: [model.layout.phases[phase]] },
});

/** Calculated pattern of one phase without the background. */
export const linesOf = (
  model: PatternModel,
  values: Float64Array,
  x: Float64Array,
  phase: number,
): Float64Array => evaluatePattern(aloneOn(model, x, phase), values, []).calculated;
