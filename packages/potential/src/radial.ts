/**
 * Functions of the distance: the cutoff, the Bessel basis, and the net that turns the basis into weights for the paths
 * of a layer.
 */
import type { CutoffFunction } from './model-file.ts';
import type { Layer, LinearMap, Model } from './read-model.ts';
/**
 * exp, sin and cos from additions and multiplications only. The language does not define the last digits of Math.exp
 * and Math.sin; with these functions the same structure gives the same bits everywhere.
 */
const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const HALF_PI_HIGH = 1.57079632673412561417;
const HALF_PI_LOW = 6.07710050650619224932e-11;

/** Powers 2^k for k from −1022 to 1023. */
const POWERS = Float64Array.from({ length: 2046 }, () => 1);
for (let k = 1; k <= 1023; k++) POWERS[1022 + k] = POWERS[1021 + k] * 2;
for (let k = 1; k <= 1022; k++) POWERS[1022 - k] = POWERS[1023 - k] / 2;

/** The relative error is below 1e-15 for |x| < 700; beyond, the result is 0 or infinity. */
export function exp(x: number): number {
  if (x > 709) return Number.POSITIVE_INFINITY;
  if (x < -708) return 0;
  const k = Math.round(x * Math.LOG2E);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = 13; n > 0; n--) sum = 1 + (r / n) * sum;
  return sum * POWERS[1022 + k];
}

/** Returns [sin x, cos x] with an absolute error below 1e-15 for |x| < 1000. */
function sinCos(x: number): readonly [number, number] {
  const quarter = Math.round(x / HALF_PI_HIGH);
  const r = x - quarter * HALF_PI_HIGH - quarter * HALF_PI_LOW;
  const square = r * r;
  let sine = 1;
  for (let n = 16; n > 0; n -= 2) sine = 1 - (square / (n * (n + 1))) * sine;
  sine *= r;
  let cosine = 1;
  for (let n = 17; n > 0; n -= 2) cosine = 1 - (square / (n * (n + 1))) * cosine;
  switch (((quarter % 4) + 4) % 4) {
    case 0:
      return [sine, cosine];
    case 1:
      return [cosine, -sine];
    case 2:
      return [-sine, -cosine];
    default:
      return [-cosine, sine];
  }
}

/** Value and derivative at r (Å) of the function that fades the interaction out at `cutoff`. */
function fade(r: number, cutoff: number, shape: CutoffFunction): readonly [number, number] {
  if (r >= cutoff) return [0, 0];
  if (shape.kind === 'polynomial') {
    const { power: p } = shape;
    const x = r / cutoff;
    let xp = 1;
    for (let k = 1; k < p; k++) xp *= x;
    const [a, b, c] = [((p + 1) * (p + 2)) / 2, p * (p + 2), (p * (p + 1)) / 2];
    return [
      1 - xp * x * (a - x * (b - x * c)),
      (-xp * (a * p - x * (b * (p + 1) - x * c * (p + 2)))) / cutoff,
    ];
  }
  if (r < shape.start) return [1, 0];
  const [rr, end, start] = [r * r, cutoff * cutoff, shape.start * shape.start];
  const span = (end - start) ** 3;
  return [
    ((end - rr) ** 2 * (end + 2 * rr - 3 * start)) / span,
    (4 * r * (end - rr) * (end - rr - (end + 2 * rr - 3 * start))) / span,
  ];
}

interface ValuesAndSlopes {
  readonly values: Float64Array;
  readonly slopes: Float64Array;
}

/** Values and slopes (per Å) of the basis at distance r. */
function radialBasis({ frequencies, manifest }: Model, r: number): ValuesAndSlopes {
  const [end, endSlope] = fade(r, manifest.cutoff, manifest.cutoffFunction);
  const values = new Float64Array(frequencies.length);
  const slopes = new Float64Array(frequencies.length);
  frequencies.forEach((frequency, n) => {
    const [sine, cosine] = sinCos(frequency * r);
    const wave = (2 / manifest.cutoff) * (sine / r);
    const slope = (2 / manifest.cutoff) * ((frequency * cosine) / r - sine / (r * r));
    values[n] = wave * end;
    slopes[n] = slope * end + wave * endSlope;
  });
  return { values, slopes };
}

/** Adds the products of inputs and weights to the outputs, starting at index `at`. */
function accumulate(
  { inputs, outputs, weights }: LinearMap,
  from: ValuesAndSlopes,
  to: ValuesAndSlopes,
  at: number,
) {
  for (let k = 0; k < inputs; k++) {
    const [value, slope] = [from.values[k], from.slopes[k]];
    for (let j = 0; j < outputs; j++) {
      const weight = weights[k * outputs + j];
      to.values[at + j] += value * weight;
      to.slopes[at + j] += slope * weight;
    }
  }
}

/**
 * Computes the weights of a layer at distance r (Å) and their slopes (per Å); writes them to `values` and `slopes`,
 * starting at index `at`.
 */
export function radialWeights(
  model: Model,
  layer: Layer,
  r: number,
  values: Float64Array,
  slopes: Float64Array,
  at: number,
): void {
  let from = radialBasis(model, r);
  const factor = model.manifest.activationFactor;
  for (const map of layer.radial.slice(0, 2)) {
    const next = { values: new Float64Array(map.outputs), slopes: new Float64Array(map.outputs) };
    accumulate(map, from, next, 0);
    for (let j = 0; j < map.outputs; j++) {
      const x = next.values[j];
      const s = 1 / (1 + exp(-x));
      next.values[j] = factor * x * s;
      next.slopes[j] *= factor * s * (1 + x * (1 - s));
    }
    from = next;
  }
  values.fill(0, at, at + layer.radialWeights);
  slopes.fill(0, at, at + layer.radialWeights);
  accumulate(layer.radial[2], from, { values, slopes }, at);
}
