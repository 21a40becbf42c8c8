/**
 * The calculated pattern and its derivatives by every parameter.
 *
 * y(2θ) = background + Σ w S m|F|² LP(θ) T exp(−B g/2) Φ(2θ − 2θ_line), g = 1/d². Position, widths and the
 * Lorentz–polarisation factor depend on the cell only through g. The derivatives by all parameters of the cell
 * therefore follow from the derivative by g. Strengths m|F|², angles to the texture axis and axial divergence are those
 * of the cell for which the lines were last prepared.
 */
import { firstAtOrAbove, type Vec3 } from '@unitcell/numerics';
import { axialNodes, type AxialShape, newAxialNodes } from './axial-divergence.ts';
import type { CellMetric } from './cell-metric.ts';
import { neverChanges } from './least-squares.ts';
import type { ParameterLayout } from './parameters.ts';
import {
  addShape,
  addShapeValue,
  combineWidths,
  LONG_TAILS,
  MIN_WIDTH_DEG,
  newLineWidth,
  newShapeBuffers,
  type ShapeBuffers,
} from './peak-shape.ts';
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

/** Chebyshev polynomials of the first kind over the range of the angles, by their angles: every evaluation needs the same. */
const polynomials = new WeakMap<Float64Array, Float64Array[]>();

function polynomialsOf(x: Float64Array, count: number): readonly Float64Array[] {
  const known = polynomials.get(x);
  if (known && known.length >= count) return known;
  const middle = (x[0] + x[x.length - 1]) / 2;
  const half = (x[x.length - 1] - x[0]) / 2;
  const first = x.map((value) => (value - middle) / half);
  const all = [new Float64Array(x.length).fill(1), first].map(neverChanges);
  while (all.length < count) {
    const [previous, current] = all.slice(-2);
    all.push(neverChanges(current.map((value, i) => 2 * first[i] * value - previous[i])));
  }
  polynomials.set(x, all);
  return all;
}

/**
 * Adds the background to `sum`, and its derivatives to the columns of the free parameters. The background is a
 * sum of Chebyshev polynomials and broad Gaussian humps.
 */
function addBackground(
  x: Float64Array,
  { background, humps }: ParameterLayout,
  values: Float64Array,
  sum: Float64Array,
  column: (parameter: number) => Float64Array | undefined,
): void {
  const terms = polynomialsOf(x, background.count);
  for (let term = 0; term < background.count; term++)
    add(sum, 0, x.length, values[background.first + term], terms[term]);
  for (let hump = 0; hump < humps.count; hump++) {
    const at = humps.first + 3 * hump;
    const [height, position, width] = [values[at], values[at + 1], values[at + 2]];
    const [byHeight, byPosition, byWidth] = [column(at), column(at + 1), column(at + 2)];
    for (let i = 0; i < x.length; i++) {
      const u = (x[i] - position) / width;
      const bell = Math.exp(-HUMP_EXPONENT * u * u);
      sum[i] += height * bell;
      if (byHeight) byHeight[i] = bell;
      if (byPosition) byPosition[i] = (2 * HUMP_EXPONENT * height * u * bell) / width;
      if (byWidth) byWidth[i] = (2 * HUMP_EXPONENT * height * u * u * bell) / width;
    }
  }
}

/** Four elements in each turn of the loop take a quarter less time. */
function add(
  column: Float64Array | undefined,
  from: number,
  count: number,
  factor: number,
  shape: Float64Array,
  first = 0,
): void {
  if (!column) return;
  const ahead = first - from;
  const end = from + count;
  let i = from;
  for (; i + 4 <= end; i += 4) {
    const at = i + ahead;
    column[i] += factor * shape[at];
    column[i + 1] += factor * shape[at + 1];
    column[i + 2] += factor * shape[at + 2];
    column[i + 3] += factor * shape[at + 3];
  }
  for (; i < end; i++) column[i] += factor * shape[i + ahead];
}

/** Adds the derivative of a line by a parameter that changes its area, position, H and η at the given rates. */
function combine(
  out: Float64Array,
  from: number,
  count: number,
  [byArea, byPosition, byH, byEta]: readonly [number, number, number, number],
  shape: ShapeBuffers,
): void {
  for (let i = 0; i < count; i++)
    out[from + i] +=
      byArea * shape.value[i] +
      byPosition * shape.byPosition[i] +
      byH * shape.byH[i] +
      byEta * shape.byEta[i];
}

/** Adds to the column of a parameter that changes H and η at the given rates. */
function addWidth(
  column: Float64Array | undefined,
  from: number,
  count: number,
  byH: number,
  byEta: number,
  shape: ShapeBuffers,
): void {
  if (!column) return;
  for (let i = 0; i < count; i++) column[from + i] += byH * shape.byH[i] + byEta * shape.byEta[i];
}

/** Lorentz–polarisation factor and irradiated amount, and the logarithmic derivative of their product by s = sin² θ. */
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

/**
 * Arrays of zeros. Those of a memory are used again after `used` is set to zero: new ones for every evaluation of a fit
 * take a third of its time.
 */
export interface EvaluationMemory {
  readonly arrays: Float64Array[];
  used: number;
}

function zeros(memory: EvaluationMemory | undefined, length: number): Float64Array {
  if (!memory) return new Float64Array(length);
  return (memory.arrays[memory.used++] ??= new Float64Array(length)).fill(0);
}

/**
 * @param free indices of the parameters whose derivatives are wanted
 * @param memory the next evaluation with this memory overwrites the result; always of the same number of points
 */
export function evaluatePattern(
  model: PatternModel,
  values: Float64Array,
  free: readonly number[],
  visit?: LineVisitor,
  memory?: EvaluationMemory,
): Evaluation {
  const { x, layout, radiation } = model;
  if (memory) memory.used = 0;
  const terms = polynomialsOf(x, layout.background.count);
  const background = zeros(memory, x.length);
  const calculated = zeros(memory, x.length);
  const columns = free.map((parameter) => {
    const term = parameter - layout.background.first;
    return term >= 0 && term < layout.background.count ? terms[term] : zeros(memory, x.length);
  });
  const columnOf = new Map(free.map((parameter, i) => [parameter, columns[i]]));
  addBackground(x, layout, values, background, (parameter) => columnOf.get(parameter));
  calculated.set(background);

  const { common } = layout;
  const [zero, displacement] = [values[common.zero], values[common.displacement]];
  const [u, v, w] = [values[common.u], values[common.v], values[common.w]];
  const axial = values[common.axial];
  const byZero = columnOf.get(common.zero);
  const byDisplacement = columnOf.get(common.displacement);
  const caglioti = [common.u, common.v, common.w].map((parameter) => columnOf.get(parameter));
  const gaussIsFree = caglioti.some((one) => one !== undefined);
  const byAxial = columnOf.get(common.axial);
  const width = newLineWidth();
  const buffers = newShapeBuffers(x.length, (length) => zeros(memory, length));
  // A line at all wavelengths: its shape at scale 1, and its derivative by g. Zero again after each line.
  const whole = zeros(memory, x.length);
  const byG = zeros(memory, x.length);
  const copies = newAxialNodes();

  model.phases.forEach(({ metric, lines, texture, intensities, pattern }, phase) => {
    const own = layout.phases[phase];
    const n = metric.basis.length;
    const scale = intensities ? 1 : values[own.scale];
    if (pattern) {
      add(calculated, 0, x.length, scale, pattern);
      add(columnOf.get(own.scale), 0, x.length, 1, pattern);
      return;
    }
    const [march, b] = [values[own.march], values[own.b]];
    const [sizeX, strainY] = [values[own.x], values[own.y]];
    const byScale = columnOf.get(own.scale);
    const byX = columnOf.get(own.x);
    const byY = columnOf.get(own.y);
    const byMarch = columnOf.get(own.march);
    const byB = columnOf.get(own.b);
    const byCell = metric.basis.map((_, j) => columnOf.get(own.cell + j));
    const cellIsFree = byCell.some((one) => one !== undefined);
    // The derivatives of the shape take most of the time; scales, background, B and texture do not need them.
    const needsSlopes =
      cellIsFree ||
      gaussIsFree ||
      [byZero, byDisplacement, byAxial, byX, byY].some((one) => one !== undefined);
    for (let line = 0; line < lines.count; line++) {
      let g = 0;
      for (let j = 0; j < n; j++) g += values[own.cell + j] * lines.q[line * n + j];
      const oriented = texture && !intensities ? marchFactor(lines, texture.cosines, line, march) : undefined;
      const strength = lines.strength[line] * Math.exp((-b * g) / 2);
      const tails = intensities ? LONG_TAILS : lines.tails[line];
      let [first, end] = [x.length, 0];
      for (const { wavelength, weight } of radiation) {
        const perG = (wavelength * wavelength) / 4;
        const sinSquared = perG * g;
        if (!(sinSquared > 0 && sinSquared < MAX_SIN_SQUARED)) continue;
        const sin = Math.sqrt(sinSquared);
        const cos = Math.sqrt(1 - sinSquared);
        const tan = sin / cos;
        const position = (2 * Math.asin(sin)) / RADIANS + zero + displacement * cos;

        const square = u * tan * tan + v * tan + w;
        const isFloor = square <= MIN_WIDTH_DEG * MIN_WIDTH_DEG;
        const gauss = isFloor ? MIN_WIDTH_DEG : Math.sqrt(square);
        combineWidths(gauss, sizeX / cos + strainY * tan, width);
        const nodes = axialNodes(
          axial,
          model.axial,
          2 * Math.asin(Math.min(1, Math.sqrt(perG * lines.g[line]))),
          width.h,
          copies,
        );
        // All nodes are on the same side of the line; the first node is the farthest.
        const least = Math.min(0, nodes.offset[0]);
        const most = Math.max(0, nodes.offset[0]);
        const half = tails.reach * width.h;
        const from = firstAtOrAbove(x, position + nodes.mean - half);
        const to = firstAtOrAbove(x, position + nodes.mean + half);
        const count = to - from;
        if (count <= 0) continue;
        const isSingle = nodes.count === 1;
        const beyond = NEAR * width.h + (most - least);
        const near = isSingle ? from : Math.max(from, firstAtOrAbove(x, position + least - beyond));
        const far = isSingle
          ? from
          : Math.max(near, Math.min(to, firstAtOrAbove(x, position + most + beyond)));

        const lp = angularFactor(sinSquared, model);
        const perScale =
          weight * (intensities ? intensities[line] : strength * lp.value * (oriented?.factor ?? 1));
        const area = scale * perScale;
        const [drawn, height] = free.length > 0 ? [whole, perScale] : [calculated, area];
        const isBuffered = needsSlopes || visit !== undefined;
        if (isBuffered) buffers.value.fill(0, 0, count);
        if (needsSlopes) {
          buffers.byPosition.fill(0, 0, count);
          buffers.byH.fill(0, 0, count);
          buffers.byEta.fill(0, 0, count);
        }
        const addPart = (start: number, stop: number, offset: number, share: number): void => {
          const centre = position + offset;
          if (needsSlopes) addShape(x, start, stop, from, centre, width, tails, share, buffers);
          else if (isBuffered)
            addShapeValue(x, start, stop, from, centre, width, tails, share, buffers.value);
          else addShapeValue(x, start, stop, 0, centre, width, tails, height * share, drawn);
        };
        addPart(from, near, nodes.mean, 1);
        addPart(far, to, nodes.mean, 1);
        for (let node = isSingle ? 1 : 0; node < nodes.count; node++)
          addPart(near, far, nodes.offset[node], nodes.weight[node]);
        if (isBuffered) add(drawn, from, count, height, buffers.value);
        visit?.({ phase, line, area, from, count, shape: buffers.value });
        [first, end] = [Math.min(first, from), Math.max(end, to)];
        if (!needsSlopes) continue;
        add(byZero, from, count, area, buffers.byPosition);
        add(byDisplacement, from, count, area * cos, buffers.byPosition);
        if (gaussIsFree && !isFloor) {
          const each = area / (2 * gauss);
          const [byH, byEta] = [each * width.hByGauss, each * width.etaByGauss];
          addWidth(caglioti[0], from, count, tan * tan * byH, tan * tan * byEta, buffers);
          addWidth(caglioti[1], from, count, tan * byH, tan * byEta, buffers);
          addWidth(caglioti[2], from, count, byH, byEta, buffers);
        }
        const [byH, byEta] = [area * width.hByLorentz, area * width.etaByLorentz];
        addWidth(byX, from, count, byH / cos, byEta / cos, buffers);
        addWidth(byY, from, count, byH * tan, byEta * tan, buffers);
        if (cellIsFree) {
          // Derivative of θ (radians) by g, and the derivatives that follow from it by the chain rule.
          const thetaByG = perG / (2 * sin * cos);
          const gaussByG = isFloor ? 0 : ((2 * u * tan + v) * thetaByG) / (2 * gauss * cos * cos);
          const lorentzByG = ((sizeX * sin + strainY) * thetaByG) / (cos * cos);
          const positionByG = (2 / RADIANS - displacement * sin) * thetaByG;
          const areaByG = intensities ? 0 : area * (lp.logSlope * perG - b / 2);
          const hByG = width.hByGauss * gaussByG + width.hByLorentz * lorentzByG;
          const etaByG = width.etaByGauss * gaussByG + width.etaByLorentz * lorentzByG;
          combine(byG, from, count, [areaByG, area * positionByG, area * hByG, area * etaByG], buffers);
        }
        if (byAxial && !isSingle) {
          add(byAxial, from, near - from, area * nodes.meanSlope, buffers.byPosition);
          add(byAxial, far, to - far, area * nodes.meanSlope, buffers.byPosition.subarray(far - from));
          for (let node = 0; node < nodes.count; node++) {
            buffers.value.fill(0, 0, count);
            buffers.byPosition.fill(0, 0, count);
            addShape(x, near, far, near, position + nodes.offset[node], width, tails, 1, buffers);
            add(byAxial, near, far - near, area * nodes.weightSlope[node], buffers.value);
            add(
              byAxial,
              near,
              far - near,
              area * nodes.weight[node] * nodes.offsetSlope[node],
              buffers.byPosition,
            );
          }
        }
      }
      if (free.length === 0 || end <= first) continue;
      add(calculated, first, end - first, scale, whole, first);
      if (!intensities) {
        add(byScale, first, end - first, 1, whole, first);
        add(byB, first, end - first, (-scale * g) / 2, whole, first);
        if (oriented)
          add(byMarch, first, end - first, (scale * oriented.slope) / oriented.factor, whole, first);
      }
      whole.fill(0, first, end);
      if (!cellIsFree) continue;
      for (let j = 0; j < n; j++) add(byCell[j], first, end - first, lines.q[line * n + j], byG, first);
      byG.fill(0, first, end);
    }
  });
  return { calculated, background, columns };
}

/** The model reduced to one phase, at other angles. */
export const aloneOn = (model: PatternModel, x: Float64Array, phase: number): PatternModel => ({
  ...model,
  x,
  phases: [model.phases[phase]],
  layout: { ...model.layout, phases: [model.layout.phases[phase]] },
});

/** Calculated pattern of one phase without the background. */
export function linesOf(
  model: PatternModel,
  values: Float64Array,
  x: Float64Array,
  phase: number,
): Float64Array {
  const { calculated, background } = evaluatePattern(aloneOn(model, x, phase), values, []);
  return calculated.map((value, i) => value - background[i]);
}
