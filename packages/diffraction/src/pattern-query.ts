/**
 * Prepares a measured pattern for the search: computes a vector of amplitudes on the grid of the index, and the shapes
 * of reference lines on that grid. Reads the element filter of a search.
 *
 * Amplitudes are square roots of intensities (the transformation that makes counting noise uniform: M. S.
 * Bartlett, J. R. Stat. Soc. Suppl. 3, 68 (1936), doi:10.2307/2983678), scaled to unit length. For separate
 * peaks the scalar product of two such vectors is the Bhattacharyya coefficient of the two patterns and their
 * Euclidean distance √2 times the Hellinger distance (A. Bhattacharyya, Bull. Calcutta Math. Soc. 35, 99
 * (1943)).
 */
import { isElementSymbol } from '@unitcell/elements';
import { movingAverage, noiseLevel } from './background.ts';
import { DiffractionError } from './diffraction-error.ts';
import { coverageOf, isExcluded } from './refinement/measured-points.ts';
import { GRID_CELLS, GRID_ORIGIN, GRID_STEP, PACKED_SPACING_RANGE } from './pattern-index.ts';
import {
  crystalliteSizeNm,
  findPeaks,
  INSTRUMENT_WIDTH_DEG,
  type MeasuredPeak,
  scherrerWidthDeg,
} from './peaks.ts';
import {
  checkedWavelength,
  dSpacingOf,
  lorentzPolarisation,
  type Probe,
  REFERENCE_WAVELENGTH,
  twoThetaDegOf,
} from './radiation.ts';

/** Largest isotropic strain in cells, for both signs: ± 2 %, twice the error of cells computed with PBE. */
export const MAX_STRAIN_CELLS = 5;

/**
 * Half width (degrees of 2θ) of the moving average applied before the noise cut: about half a typical
 * laboratory peak, so that weak peaks keep their shape and the noise falls by the root of the number of
 * points.
 */
export const NOISE_WINDOW_DEG = 0.06;

/** The average uses only as many points as needed to lower the noise threshold to this share of the highest point. */
export const NOISE_SHARE = 0.01;

/**
 * Intensity below this many standard deviations of the averaged noise is removed; otherwise the noise of a long scan
 * outweighs its peaks.
 */
export const NOISE_CUT = 3;

/**
 * Mean and standard deviation of normal noise whose negative half was set to zero (as removeBackground does),
 * in units of the estimate of `noiseLevel`.
 */
const CLIPPED_NOISE = { mean: 0.83, deviation: 1.21 } as const;

/**
 * FWHM in ln(1/d) of a Gaussian that smooths both the query and the references. It is one and a half cells, so that the
 * position of a line inside its cell and small anisotropic errors of a cell matter little.
 */
export const SMOOTHING_WIDTH = 0.006;

/** Lorentzian fraction of the shapes of references. */
const LORENTZ_SHARE = 0.4;

/** Most cells drawn on either side of a line, because peaks are wide on the logarithmic grid at low angles. */
const MAX_REACH = 16;

/** Empty cells on either side of the measured range, so that shifted and broad lines stay inside. */
export const GRID_MARGIN = MAX_STRAIN_CELLS + MAX_REACH;

/** Crystallite size (nm) assumed when no peak width can be measured. */
const DEFAULT_SIZE_NM = 50;

export interface PatternQuery {
  /** Wavelength of the measurement, Å. */
  readonly wavelength: number;
  /** Size used to broaden the references, nm. */
  readonly crystalliteSizeNm: number;
  /** Grid cell of the first cell of the measured range. */
  readonly from: number;
  /** Number of cells of the measured range. */
  readonly length: number;
  /** Measured amplitudes: GRID_MARGIN zeros, `length` values, GRID_MARGIN zeros; unit length. */
  readonly amplitudes: Float64Array;
  /**
   * Element [a] is the amplitude that remains of a line of amplitude a (0 to 255, as in the index) after the noise cut
   * of the measurement.
   */
  readonly visible: Float64Array;
  /**
   * Row i contains the amplitudes of a line in cell from + i over cells −MAX_REACH … +MAX_REACH; unit length. It is zero
   * for a cell that was not measured, so that no line is expected there.
   */
  readonly shapes: Float64Array;
  /** Row i of the shapes is zero beyond this many cells on either side. */
  readonly reach: Uint8Array;
  /** Peaks of the measured pattern, at their measured angles; they are fitted when they are first read. */
  readonly peaks: readonly MeasuredPeak[];
}

export interface QueryOptions {
  /** Å; default REFERENCE_WAVELENGTH. */
  readonly wavelength?: number;
  /** Default X-rays. The reference patterns must be for the same radiation. */
  readonly probe?: Probe | undefined;
  /** nm; by default estimated from the peak widths. */
  readonly crystalliteSizeNm?: number;
  /**
   * Whether the slit kept the irradiated length constant; intensities are then divided by sin θ. Default
   * false.
   */
  readonly isSlitVariable?: boolean | undefined;
  /** Regions (degrees) that count as not measured, like gaps between the points. */
  readonly excluded?: readonly (readonly [number, number])[] | undefined;
}

/** Width of a row of `shapes`. */
export const SHAPE_ROW = 2 * MAX_REACH + 1;

const cellOfSpacing = (d: number): number => (-Math.log(d) - GRID_ORIGIN) / GRID_STEP;

/** Spacing at the middle of a cell, Å. */
const spacingOfCell = (cell: number): number => Math.exp(-(GRID_ORIGIN + cell * GRID_STEP));

/**
 * Area of a pseudo-Voigt of the given FWHM (cells) inside each cell around its centre, by the midpoint rule.
 */
function massPerCell(width: number, lorentzShare: number, reach: number): Float64Array {
  const parts = 8;
  const mass = new Float64Array(2 * reach + 1);
  for (let cell = -reach; cell <= reach; cell++)
    for (let part = 0; part < parts; part++) {
      const u = (2 * (cell - 0.5 + (part + 0.5) / parts)) / width;
      const lorentz = 1 / (Math.PI * (1 + u * u));
      const gauss = Math.sqrt(Math.LN2 / Math.PI) * Math.exp(-Math.LN2 * u * u);
      mass[cell + reach] += lorentzShare * lorentz + (1 - lorentzShare) * gauss;
    }
  const total = mass.reduce((sum, value) => sum + value, 0);
  return mass.map((value) => value / total);
}

/**
 * FWHM of a peak at a spacing, in cells: size and instrument broadening at the wavelength of the measurement, and
 * smoothing.
 */
function widthInCells(d: number, sizeNm: number, wavelength: number): number {
  const twoThetaDeg = twoThetaDegOf(d, wavelength);
  const beta =
    Math.hypot(scherrerWidthDeg(sizeNm, twoThetaDeg, wavelength), INSTRUMENT_WIDTH_DEG) * (Math.PI / 180);
  const logWidth = beta / (2 * Math.tan((twoThetaDeg * Math.PI) / 360));
  return Math.hypot(logWidth, SMOOTHING_WIDTH) / GRID_STEP;
}

/**
 * Amplitudes of reference lines after the noise cut. Only the part of a peak above the threshold remains, which is the
 * share (1 − threshold/height)^1.5 of the area for a parabolic maximum. Amplitudes are square roots.
 */
const visibleAmplitudes = (threshold: number): Float64Array =>
  Float64Array.from({ length: 256 }, (_, amplitude) => {
    const height = (amplitude / 255) ** 2;
    return height > threshold ? amplitude * (1 - threshold / height) ** 0.75 : 0;
  });

function scaleToUnitLength(values: Float64Array): void {
  let sum = 0;
  for (const value of values) sum += value * value;
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let i = 0; i < values.length; i++) values[i] *= scale;
}

/**
 * The pattern without its noise (the part of a short moving average above a threshold), and the height of that
 * threshold.
 */
function withoutNoise(x: ArrayLike<number>, y: Float64Array): { signal: Float64Array; threshold: number } {
  const last = x.length - 1;
  const noise = noiseLevel(y);
  const level = CLIPPED_NOISE.mean * noise;
  const enough = NOISE_SHARE * y.reduce((best, value) => Math.max(best, value), 0);
  const widest = Math.round((NOISE_WINDOW_DEG * last) / (x[last] - x[0]));
  const thresholdOf = (half: number): number =>
    (NOISE_CUT * CLIPPED_NOISE.deviation * noise) / Math.sqrt(2 * half + 1);
  let half = 0;
  while (half < widest && thresholdOf(half) > enough) half += 1;
  const threshold = thresholdOf(half);
  const signal = movingAverage(y, half).map((value) => Math.max(0, value - level - threshold));
  return { signal, threshold };
}

/**
 * Integrated intensity per cell. The intensity of every measured point is spread over the cells that its interval of
 * angle covers.
 */
function intensityPerCell(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  {
    wavelength,
    probe,
    isSlitVariable,
  }: Pick<QueryOptions, 'probe' | 'isSlitVariable'> & { readonly wavelength: number },
  from: number,
  length: number,
): Float64Array {
  const result = new Float64Array(length);
  const last = x.length - 1;
  for (let i = 0; i <= last; i++) {
    const intensity = y[i];
    if (!(intensity > 0)) continue;
    const lower = (x[Math.max(0, i - 1)] + x[i]) / 2;
    const upper = (x[i] + x[Math.min(last, i + 1)]) / 2;
    if (!(upper > lower && lower > 0)) continue;
    const d = dSpacingOf(x[i], wavelength);
    // References contain the Lorentz–polarisation factor of the reference wavelength, so the measured one is
    // replaced.
    const correction =
      wavelength === REFERENCE_WAVELENGTH || d <= REFERENCE_WAVELENGTH / 2
        ? 1
        : lorentzPolarisation(twoThetaDegOf(d, REFERENCE_WAVELENGTH), probe) /
          lorentzPolarisation(x[i], probe);
    const begin = cellOfSpacing(dSpacingOf(lower, wavelength)) - from + 0.5;
    const end = cellOfSpacing(dSpacingOf(upper, wavelength)) - from + 0.5;
    const irradiated = isSlitVariable === true ? Math.sin((x[i] * Math.PI) / 360) : 1;
    const density = (intensity * correction * (upper - lower)) / (irradiated * (end - begin));
    for (let cell = Math.max(0, Math.floor(begin)); cell < Math.min(length, end); cell++)
      result[cell] += density * (Math.min(end, cell + 1) - Math.max(begin, cell));
  }
  return result;
}

function smoothed(values: Float64Array): Float64Array {
  const reach = 4;
  const weights = massPerCell(SMOOTHING_WIDTH / GRID_STEP, 0, reach);
  return values.map((_, i) => {
    let sum = 0;
    for (let j = -reach; j <= reach; j++) sum += (values[i + j] ?? 0) * weights[j + reach];
    return sum;
  });
}

/**
 * Prepares a measured pattern, background already removed, for `searchPatterns`.
 *
 * @param x 2θ in degrees, rising. @param y intensities above background.
 * @throws DiffractionError `bad-wavelength`; `bad-pattern` when nothing above the noise lies between the spacings
 * of the index.
 */
export function preparePatternQuery(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  options: QueryOptions = {},
): PatternQuery {
  const wavelength = checkedWavelength(options.wavelength ?? REFERENCE_WAVELENGTH);
  const { probe, isSlitVariable, excluded = [] } = options;
  if (x.length < 3 || x.length !== y.length)
    throw new DiffractionError(
      'bad-pattern',
      `${x.length} angles and ${y.length} intensities: expected as many of one as of the other`,
      { reason: 'lengths' },
    );
  const largest = x[0] > 0 ? dSpacingOf(x[0], wavelength) : PACKED_SPACING_RANGE.max;
  const from = Math.max(0, Math.ceil(cellOfSpacing(largest)));
  const to = Math.min(GRID_CELLS - 1, Math.floor(cellOfSpacing(dSpacingOf(x[x.length - 1], wavelength))));
  const length = Math.max(0, to - from + 1);
  const { signal: whole, threshold } = withoutNoise(x, Float64Array.from(y));
  const signal = whole.map((value, i) => (isExcluded(x[i], excluded) ? 0 : value));
  const isCovered = coverageOf(x);
  const isMeasured = Array.from({ length }, (_, row) => {
    const angle = twoThetaDegOf(spacingOfCell(from + row), wavelength);
    return isCovered(angle) && !isExcluded(angle, excluded);
  });
  const inside = smoothed(
    intensityPerCell(x, signal, { wavelength, probe, isSlitVariable }, from, length),
  ).map((value, row) => (isMeasured[row] ? Math.sqrt(value) : 0));
  if (!inside.some((value) => value > 0))
    throw new DiffractionError(
      'bad-pattern',
      `nothing rises above the noise between d = ${PACKED_SPACING_RANGE.max} and ${PACKED_SPACING_RANGE.min} Å (2θ ${x[0]} to ${x[x.length - 1]}° at ${wavelength} Å): check the radiation source and the file`,
      { reason: 'no-signal' },
    );
  scaleToUnitLength(inside);
  const amplitudes = new Float64Array(length + 2 * GRID_MARGIN);
  amplitudes.set(inside, GRID_MARGIN);

  // Kα1 and Kα2 occur only with X-ray tubes, not with neutrons.
  let found: readonly MeasuredPeak[] | undefined;
  const peaks = () =>
    (found ??= findPeaks(x, y, probe === 'neutron' ? undefined : wavelength).filter(
      ({ twoThetaDeg }) => !isExcluded(twoThetaDeg, excluded),
    ));
  const size = options.crystalliteSizeNm ?? crystalliteSizeNm(peaks(), wavelength) ?? DEFAULT_SIZE_NM;
  const shapes = new Float64Array(length * SHAPE_ROW);
  const reach = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    if (!isMeasured[i]) continue;
    const width = widthInCells(spacingOfCell(from + i), size, wavelength);
    const cells = Math.min(MAX_REACH, Math.ceil(2 * width) + 1);
    const shape = massPerCell(width, LORENTZ_SHARE, cells).map(Math.sqrt);
    scaleToUnitLength(shape);
    shapes.set(shape, i * SHAPE_ROW + MAX_REACH - cells);
    reach[i] = cells;
  }
  const highest = signal.reduce((best, value) => Math.max(best, value), 0);
  const visible = visibleAmplitudes(threshold / (highest + threshold));
  return {
    wavelength,
    crystalliteSizeNm: size,
    from,
    length,
    amplitudes,
    visible,
    shapes,
    reach,
    get peaks() {
      return peaks();
    },
  };
}

// The element filter of the XRD matcher: `only: Al N` or `include: Al N *`.
//
//   only: Al N        exactly these elements
//   include: Al N     the same as only (other elements need the star)
//   include: Al N *   at least these elements
//   Al N              the same as only
//   Al N *            the same as include, as in the search of materials
//
// Elements are separated by spaces, commas or hyphens; letter case of the keyword and of the symbols does not matter.
// Empty text means no filter.

export interface ElementFilter {
  /** Required elements, in the order of the text. */
  readonly elements: readonly string[];
  /** Whether other elements are also allowed. */
  readonly others: boolean;
}

/** Reasons to refuse a filter: `parameters.reason` of a `bad-filter`. */
export type BadFilterReason = 'too-long' | 'keyword' | 'star' | 'symbol' | 'no-element';

/** Longest filter accepted; 118 symbols with separators fit. */
const MAX_FILTER_LENGTH = 500;

const EXAMPLES = '"only: Al N" for exactly these elements or "include: Al N *" for at least these';

const asSymbol = (token: string): string => token.charAt(0).toUpperCase() + token.slice(1).toLowerCase();

/**
 * Parses a filter; undefined for an empty one.
 * @throws DiffractionError `bad-filter` naming the part that was not understood.
 * @example parseElementFilter('include: Al N *') // { elements: ['Al', 'N'], others: true }
 */
export function parseElementFilter(text: string): ElementFilter | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (trimmed.length > MAX_FILTER_LENGTH)
    throw new DiffractionError(
      'bad-filter',
      `the element filter has ${trimmed.length} characters: write ${EXAMPLES}`,
      { reason: 'too-long' satisfies BadFilterReason, length: trimmed.length },
    );
  const colon = trimmed.search(/[:：]/);
  // A star without a keyword allows other elements, as in the search of materials.
  const bare = trimmed.includes('*') ? 'include' : 'only';
  const keyword = colon < 0 ? bare : trimmed.slice(0, colon).trim().toLowerCase();
  if (keyword !== 'only' && keyword !== 'include')
    throw new DiffractionError(
      'bad-filter',
      `"${keyword.slice(0, 40)}:" is not known in an element filter: write ${EXAMPLES}`,
      { reason: 'keyword' satisfies BadFilterReason, found: keyword.slice(0, 40) },
    );
  const elements: string[] = [];
  let others = false;
  for (const token of trimmed.slice(colon + 1).split(/[\s,，、-]+/)) {
    if (token === '') continue;
    if (token === '*') {
      if (keyword === 'only')
        throw new DiffractionError(
          'bad-filter',
          `"only" allows no other elements, so "*" contradicts it: write ${EXAMPLES}`,
          { reason: 'star' satisfies BadFilterReason },
        );
      others = true;
      continue;
    }
    const symbol = asSymbol(token);
    if (!isElementSymbol(symbol))
      throw new DiffractionError(
        'bad-filter',
        `"${token.slice(0, 40)}" is not an element symbol: write ${EXAMPLES}`,
        { reason: 'symbol' satisfies BadFilterReason, found: token.slice(0, 40) },
      );
    if (!elements.includes(symbol)) elements.push(symbol);
  }
  if (elements.length === 0)
    throw new DiffractionError('bad-filter', `the element filter names no element: write ${EXAMPLES}`, {
      reason: 'no-element' satisfies BadFilterReason,
    });
  return { elements, others };
}
