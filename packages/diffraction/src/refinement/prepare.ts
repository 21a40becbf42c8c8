/**
 * Prepares a refinement from a request: checks the input, calculates the lines of the phases, sets starting
 * values.
 */
import { cellVolume } from '@unitcell/crystal';
import { anomalousScattering, hasAnomalousScattering } from '@unitcell/elements';
import { background, removeBackground } from '../background.ts';
import { DiffractionError } from '../diffraction-error.ts';
import { findPeaks, hasPeaks } from '../peaks.ts';
import { checkedWavelength, isTubeLine } from '../radiation.ts';
import { type CellMetric, cellMetric } from './cell-metric.ts';
import { type FitState, fit } from './fit-state.ts';
import { withFreeIntensities } from './line-intensities.ts';
import { type MeasuredPoints, measuredPoints, refusal } from './measured-points.ts';
import { parameterLayout } from './parameters.ts';
import { evaluatePattern, type ModelPhase, type PatternModel } from './pattern-model.ts';
import { DEFAULT_B, type LineOptions, phaseLines } from './phase-reflections.ts';
import type { Plan } from './stages.ts';
import {
  type InstrumentProfile,
  type InstrumentProfileId,
  MAX_REFINED_PHASES,
  type RadiationLine,
  type RefinedKinds,
  type RefinementHooks,
  type RefinementPhase,
  type RefinementRequest,
} from './types.ts';

const DEFAULT_CYCLES = 150;
const MAX_CYCLES = 2000;
const MAX_BACKGROUND_TERMS = 24;
const MAX_HUMPS = 3;

/** Lattice vectors with a smaller cell volume (Å³) count as linearly dependent. */
const MIN_CELL_VOLUME = 1e-3;

/** Humps start within the first HUMPS_WITHIN_DEG degrees of the pattern, with this full width (degrees). */
const HUMPS_WITHIN_DEG = 40;
const HUMP_WIDTH_DEG = 9;

/** Lines up to this many degrees outside the pattern are included, because their tails reach into it. */
const BEYOND_DEG = 2;

/**
 * λ divided by the wavelength of a harmonic is a whole number within this; wavelengths in files are rounded.
 */
const HARMONIC = 0.005;

/** Degrees; at larger angles lines are left out. */
const MAX_LINE_DEG = 176;

const AUTOMATIC: RefinedKinds = {
  cell: true,
  profile: true,
  overallB: true,
  texture: 'automatic',
  axialDivergence: true,
};

/**
 * Line widths of typical instruments, as starting values: orders of magnitude, not calibrations. Full widths of 0.08°
 * (`laboratory`: Bragg–Brentano with a graphite monochromator), 0.05° (`laboratory-sharp`: Kα1 optics or fine slits),
 * 0.15° (`laboratory-broad`: bench-top instruments with strip detectors) and 0.01° (`synchrotron`: analyser crystals).
 */
const INSTRUMENT_PROFILES: Readonly<Record<InstrumentProfileId, InstrumentProfile>> = {
  laboratory: {
    u: 0.004,
    v: -0.004,
    w: 0.006,
    x: 0.02,
    y: 0.02,
    sampleOverRadius: 0.02,
    detectorOverRadius: 0.02,
  },
  'laboratory-sharp': {
    u: 0.002,
    v: -0.002,
    w: 0.002,
    x: 0.02,
    y: 0.01,
    sampleOverRadius: 0.01,
    detectorOverRadius: 0.01,
  },
  'laboratory-broad': {
    u: 0.01,
    v: -0.005,
    w: 0.02,
    x: 0.03,
    y: 0.02,
    sampleOverRadius: 0.03,
    detectorOverRadius: 0.03,
  },
  synchrotron: {
    u: 0.0001,
    v: 0,
    w: 0.00005,
    x: 0.002,
    y: 0.004,
    sampleOverRadius: 0.001,
    detectorOverRadius: 0.001,
  },
};

/** Range in degrees of 2θ per background term beyond the first four. */
const BACKGROUND_TERM_DEG = 12;

/**
 * @throws DiffractionError `bad-refinement` (its parameter `reason` is a RefinementRefusal), `bad-wavelength`,
 * `unknown-element`, `bad-structure`, `too-many-reflections`, `cancelled`.
 */
export function prepare(
  request: RefinementRequest,
  hooks: RefinementHooks,
  { leastStrength, values: known }: Pick<LineOptions, 'leastStrength'> & { values?: Float64Array } = {},
): { state: FitState; plan: Plan } {
  checkRequest(request);
  const points = measuredPoints(request);
  const { options } = request;
  const radiation = normalised(request.radiation);
  const { wavelength } = radiation[0];
  const isNeutron = request.probe === 'neutron';
  const isAnomalous = !isNeutron && options.anomalous !== false;
  const instrument = startingProfile(request, points);
  const kinds = options.refine === 'automatic' ? AUTOMATIC : options.refine;
  const plan: Plan = {
    kinds,
    isAutomatic: options.refine === 'automatic',
    options,
    textures: request.phases.map(({ texture }) => texture ?? kinds.texture),
    shift: options.shift ?? (isNeutron || isSynchrotron(request) ? 'zero' : 'displacement'),
    instrument,
    hasPeaks: () => hasPeaks(points.x, removeBackground(points.x, points.y)),
    notices: isAnomalous && !hasAnomalousScattering(wavelength) ? [{ code: 'no-anomalous', wavelength }] : [],
  };
  const range = [points.x[0], points.x[points.x.length - 1]] as const;
  const lineOptions = {
    wavelength,
    probe: request.probe,
    twoThetaRangeDeg: rangeOfLines(range, radiation),
    ...(leastStrength !== undefined && { leastStrength }),
    bOf: (element: string): number => options.elementB?.[element] ?? DEFAULT_B,
    anomalousOf:
      isAnomalous && hasAnomalousScattering(wavelength)
        ? (element: string) => anomalousScattering(element, wavelength)
        : undefined,
  };
  const metrics = request.phases.map(metricOf);
  const terms =
    options.backgroundTerms ??
    Math.min(14, Math.max(4, Math.round((range[1] - range[0]) / BACKGROUND_TERM_DEG) + 3));
  const layout = parameterLayout(
    metrics,
    terms,
    options.humps ?? 0,
    range,
    (range[1] - range[0]) / (points.x.length - 1),
  );
  const phases = request.phases.map((phase, p) => {
    const { cell, cellCount } = layout.phases[p];
    return modelPhase(phase, metrics[p], known?.subarray(cell, cell + cellCount), lineOptions);
  });
  const { sampleOverRadius = 0, detectorOverRadius = 0 } = instrument;
  const axial = sampleOverRadius + detectorOverRadius;
  const model: PatternModel = {
    x: points.x,
    radiation,
    polarisation: polarisationOf(request),
    illumination: { isSlitVariable: request.isSlitVariable === true, thickness: request.sampleThickness },
    axial: {
      smallerShare: axial > 0 ? Math.min(sampleOverRadius, detectorOverRadius) / axial : 0.5,
    },
    layout,
    phases,
  };
  const values = new Float64Array(layout.specs.length);
  const { common } = layout;
  [values[common.u], values[common.v], values[common.w]] = [instrument.u, instrument.v, instrument.w];
  values[common.axial] = axial;
  for (let hump = 0; hump < layout.humps.count; hump++) {
    // Positions are spread over the angles where glasses scatter; the heights are found by the fit.
    const end = Math.min(range[1], range[0] + HUMPS_WITHIN_DEG);
    const position = range[0] + ((end - range[0]) * (hump + 1)) / (layout.humps.count + 1);
    values.set([0, position, HUMP_WIDTH_DEG], layout.humps.first + 3 * hump);
  }
  layout.phases.forEach((own, p) => {
    values.set(phases[p].metric.start, own.cell);
    [values[own.x], values[own.y], values[own.march]] = [instrument.x, instrument.y, 1];
  });
  const state: FitState = {
    points,
    given: request.phases,
    lineOptions,
    hooks,
    maxCycles: options.maxCycles ?? DEFAULT_CYCLES,
    model,
    values,
    free: [],
    atLimit: [],
    cycles: 0,
    converged: false,
    outOfTime: false,
  };
  if (known) state.values = Float64Array.from(known);
  else {
    startBackground(state);
    startScales(state);
  }
  // Without atoms no intensities can be calculated.
  state.model = withFreeIntensities(
    state.model,
    state.values,
    (phase) => request.phases[phase].structure.sites.length === 0,
  );
  return { state, plan };
}

const metricOf = ({ structure, symmetryRotations }: RefinementPhase): CellMetric =>
  cellMetric(structure.latticeVectors, symmetryRotations);

/** @throws DiffractionError `bad-refinement`, and the errors of `phaseLines` */
function modelPhase(
  { structure, label }: RefinementPhase,
  metric: CellMetric,
  cell: Float64Array | undefined,
  lineOptions: LineOptions,
): ModelPhase {
  const lines = phaseLines(structure, metric, cell ?? metric.start, lineOptions);
  if (lines.count > 0) return { metric, lines };
  const [from, to] = lineOptions.twoThetaRangeDeg;
  throw refusal('phase-without-lines', `${label} has no reflection between ${from}° and ${to}°`, {
    phase: label,
  });
}

/**
 * Adds a phase to the state and leaves everything else as it is. The phase starts with scale 0 and with the
 * widths `x` and `y` (degrees).
 * @throws DiffractionError `bad-refinement`, `unknown-element`, `bad-structure`, `too-many-reflections`
 */
export function withPhase(state: FitState, phase: RefinementPhase, x: number, y: number): FitState {
  const added = modelPhase(phase, metricOf(phase), undefined, state.lineOptions);
  const model = modelOf(state, [...state.model.phases, added]);
  // The indices of the earlier parameters do not change.
  const values = new Float64Array(model.layout.specs.length);
  values.set(state.values);
  const own = model.layout.phases[model.phases.length - 1];
  values.set(added.metric.start, own.cell);
  [values[own.x], values[own.y], values[own.march]] = [x, y, 1];
  return { ...state, given: [...state.given, phase], model, values };
}

/** The state without one phase; the lines and parameters of all other phases stay as they are. */
export function withoutPhase(state: FitState, phase: number): FitState {
  const { model, given, values, free } = state;
  const own = model.layout.phases[phase];
  const [first, end] = [own.scale, own.b + 1];
  const others = <T>(list: readonly T[]): T[] => list.filter((_, p) => p !== phase);
  return {
    ...state,
    given: others(given),
    model: modelOf(state, others(model.phases)),
    values: Float64Array.of(...values.subarray(0, first), ...values.subarray(end)),
    free: free.flatMap((place) => {
      if (place < first) return place;
      return place < end ? [] : place - (end - first);
    }),
    cycles: 0,
  };
}

/** The model with these phases in place of its own. */
function modelOf({ model, points: { x } }: FitState, phases: readonly ModelPhase[]): PatternModel {
  const { background: polynomial, humps, common, specs } = model.layout;
  const layout = parameterLayout(
    phases.map(({ metric }) => metric),
    polynomial.count,
    humps.count,
    [x[0], x[x.length - 1]],
    Math.sqrt(specs[common.w].min),
  );
  return { ...model, layout, phases };
}

function checkRequest({ radiation, phases, options, sampleThickness }: RefinementRequest): void {
  if (radiation.length === 0 || radiation.length > 3 || radiation.some(({ weight }) => !(weight > 0)))
    throw refusal(
      'radiation',
      `${radiation.length} lines of radiation: expected one to three of positive weight`,
    );
  for (const { wavelength } of radiation) checkedWavelength(wavelength);
  if (phases.length > MAX_REFINED_PHASES)
    throw refusal(
      'too-many-phases',
      `${phases.length} phases were given: at most ${MAX_REFINED_PHASES} are refined together`,
      { phases: phases.length, limit: MAX_REFINED_PHASES },
    );
  for (const { structure, label } of phases) {
    const volume = cellVolume(structure.latticeVectors);
    if (!(volume > MIN_CELL_VOLUME && Number.isFinite(volume)))
      throw new DiffractionError(
        'bad-structure',
        `the cell of ${label} has the volume ${volume} Å³: expected three independent lattice vectors`,
      );
    if (options.method === 'rietveld' && structure.sites.length === 0)
      throw refusal(
        'phase-without-atoms',
        `${label} has no atoms: a Rietveld refinement needs their positions; Le Bail needs only the cell`,
        { phase: label },
      );
  }
  const standards = phases.flatMap(({ standardFraction }) => standardFraction ?? []);
  if (standards.length > 1 || standards.some((share) => !(share > 0 && share < 1)))
    throw refusal(
      'options',
      `internal standards with the shares ${standards.join(', ')}: expected one between 0 and 1`,
    );
  if (sampleThickness !== undefined && !(sampleThickness > 0))
    throw refusal('options', `a sample with μt = ${sampleThickness}: expected a positive number`);
  const { backgroundTerms = 1, humps = 0, maxCycles = 1 } = options;
  const whole = (value: number, most: number, least: number): boolean =>
    Number.isInteger(value) && value >= least && value <= most;
  if (
    !whole(backgroundTerms, MAX_BACKGROUND_TERMS, 1) ||
    !whole(humps, MAX_HUMPS, 0) ||
    !whole(maxCycles, MAX_CYCLES, 1)
  )
    throw refusal(
      'options',
      `${backgroundTerms} background terms, ${humps} humps, ${maxCycles} cycles: expected 1 to ${MAX_BACKGROUND_TERMS}, 0 to ${MAX_HUMPS} and 1 to ${MAX_CYCLES}`,
    );
}

/**
 * Range of angles for the first wavelength (degrees) that contains every line of which any wavelength is in the
 * pattern.
 */
function rangeOfLines(
  [from, to]: readonly [number, number],
  radiation: readonly RadiationLine[],
): readonly [number, number] {
  const [{ wavelength }] = radiation;
  const wavelengths = radiation.map((line) => line.wavelength);
  const asFirst = (deg: number, of: number): number => {
    const sine = (Math.sin((deg * Math.PI) / 360) * wavelength) / of;
    return (360 / Math.PI) * Math.asin(Math.min(1, sine));
  };
  return [
    Math.max(0.5, asFirst(Math.max(0, from - BEYOND_DEG), Math.max(...wavelengths))),
    Math.min(MAX_LINE_DEG, asFirst(Math.min(MAX_LINE_DEG, to + BEYOND_DEG), Math.min(...wavelengths))),
  ];
}

function normalised(radiation: readonly RadiationLine[]): RadiationLine[] {
  const total = radiation.reduce((sum, { weight }) => sum + weight, 0);
  return radiation.map(({ wavelength, weight }) => ({ wavelength, weight: weight / total }));
}

/**
 * Whether the profile of a synchrotron was chosen, or no tube emits the wavelength and all other lines are
 * its harmonics (λ/2, λ/3), which a monochromator also passes.
 */
function isSynchrotron({ radiation, options }: RefinementRequest): boolean {
  if (options.profile === 'synchrotron') return true;
  const longest = Math.max(...radiation.map(({ wavelength }) => wavelength));
  const isHarmonic = (wavelength: number): boolean => {
    const order = Math.round(longest / wavelength);
    return order > 1 && Math.abs(longest / wavelength - order) < HARMONIC;
  };
  return (
    !isTubeLine(longest) &&
    radiation.every(({ wavelength }) => wavelength === longest || isHarmonic(wavelength))
  );
}

/** K. A synchrotron's radiation is polarised in the plane of its ring, and detectors move perpendicular to it: K = 0. */
function polarisationOf(request: RefinementRequest): number {
  const { probe, polarisationRatio, monochromatorTwoThetaDeg } = request;
  if (probe === 'neutron') return 0;
  if (polarisationRatio !== undefined) return polarisationRatio;
  if (monochromatorTwoThetaDeg !== undefined)
    return Math.cos((monochromatorTwoThetaDeg * Math.PI) / 180) ** 2;
  return isSynchrotron(request) ? 0 : 1;
}

/**
 * The given profile. Default: a profile with the width of the strongest peaks, half Gaussian and half
 * Lorentzian.
 */
function startingProfile({ options }: RefinementRequest, { x, y }: MeasuredPoints): InstrumentProfile {
  const { profile = 'estimate' } = options;
  if (typeof profile !== 'string') return profile;
  if (profile !== 'estimate') return INSTRUMENT_PROFILES[profile];
  const widths = findPeaks(x, removeBackground(x, y))
    .sort((a, b) => b.height - a.height)
    .slice(0, 15)
    .map(({ widthDeg }) => widthDeg)
    .sort((a, b) => a - b);
  const step = (x[x.length - 1] - x[0]) / (x.length - 1);
  const width = Math.min(1, Math.max(widths[Math.floor(widths.length / 2)] ?? 0.15, 2 * step));
  return { u: 0, v: 0, w: (0.75 * width) ** 2, x: 0.35 * width, y: 0 };
}

/** Starting Chebyshev coefficients, from the background by SNIP. */
function startBackground(state: FitState): void {
  const { x, y, weights } = state.points;
  const smooth = background(x, y);
  const { first, count } = state.model.layout.background;
  const free = Array.from({ length: count }, (_, i) => first + i);
  const { phases } = state.model;
  state.model = { ...state.model, phases: [] };
  fit(state, free, { maxCycles: 3, tolerance: 1e-6, points: { x, y: smooth, weights } });
  state.model = { ...state.model, phases };
  state.cycles = 0;
}

/** Every phase starts with an equal share of the peak intensity. */
function startScales(state: FitState): void {
  const { model, values, points } = state;
  model.layout.phases.forEach(({ scale }) => {
    values[scale] = 1;
  });
  const { background: level, calculated } = evaluatePattern(model, values, []);
  let [observed, expected] = [0, 0];
  calculated.forEach((value, i) => {
    observed += Math.max(0, points.y[i] - level[i]);
    expected += value - level[i];
  });
  model.layout.phases.forEach(({ scale }) => {
    values[scale] = expected > 0 ? observed / expected : 1;
  });
}
