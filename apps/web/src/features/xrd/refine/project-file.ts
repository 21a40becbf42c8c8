/**
 * A refinement as one JSON file: pattern, settings, phases and result. The file can be opened without the server. Every
 * field is checked on opening, because the file may have been edited or may belong to another program.
 */
import type { Estimate, LineWidths, MeasurementRecord, RefineResult, XrdData } from '@unitcell/contract/xrd';
import { INSTRUMENTS, MAX_CIF_BYTES, MAX_PHASES } from '@unitcell/contract/xrd/rules';
import { type ChosenPhase, regionsIn, type RefineSettings } from './refine-view-model.ts';

export const PROJECT_FORMAT = 'unitcell-xrd-refinement';
/** Increase it when a field is added or changes its meaning. */
export const PROJECT_VERSION = 1;
/** Far above the usual size: 20,000 points with five curves and thousands of reflections take about 3 MB. */
export const MAX_PROJECT_BYTES = 32 * 1024 * 1024;

export interface Project {
  readonly fileName: string;
  readonly warnings: readonly string[];
  readonly record: MeasurementRecord | null;
  /** The pattern as uploaded. */
  readonly data: XrdData;
  readonly sigmas?: readonly number[] | undefined;
  /** Settings of the form. */
  readonly radiation: string;
  readonly phases: readonly ChosenPhase[];
  readonly settings: RefineSettings;
  readonly ownInstrument: LineWidths | null;
  readonly result: RefineResult | null;
}

/** Why a file is no project of this page. */
export type ProjectProblem =
  | { readonly kind: 'foreign' }
  | { readonly kind: 'version'; readonly version: number }
  /** Path of the field, such as `result.phases.0.density`. */
  | { readonly kind: 'field'; readonly field: string };

class WrongField extends Error {
  constructor(readonly field: string) {
    super(`wrong field ${field}`);
  }
}

// ── Checks: each returns the value with the type it has confirmed ──

type Check<T> = (value: unknown, at: string) => T;

function wrong(at: string): never {
  throw new WrongField(at);
}

const number: Check<number> = (value, at) =>
  typeof value === 'number' && Number.isFinite(value) ? value : wrong(at);
const within =
  (min: number, max: number): Check<number> =>
  (value, at) => {
    const found = number(value, at);
    return found >= min && found <= max ? found : wrong(at);
  };
const text =
  (longest = 2000): Check<string> =>
  (value, at) =>
    typeof value === 'string' && value.length <= longest ? value : wrong(at);
const yesNo: Check<boolean> = (value, at) => (typeof value === 'boolean' ? value : wrong(at));
const oneOf =
  <const T extends string>(...words: readonly T[]): Check<T> =>
  (value, at) =>
    words.find((word) => word === value) ?? wrong(at);
const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value, at) =>
    value === null ? null : check(value, at);
const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : check(value, at);
const list =
  <T>(check: Check<T>, most: number, least = 0): Check<T[]> =>
  (value, at) =>
    Array.isArray(value) && value.length <= most && value.length >= least
      ? value.map((item: unknown, index) => check(item, `${at}.${index}`))
      : wrong(at);

/** Checks an object; fields that are not listed are dropped. */
const record =
  <T extends object>(fields: { readonly [K in keyof T]-?: Check<T[K]> }): Check<T> =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(at);
    const source = new Map(Object.entries(value));
    const found: Partial<T> = {};
    for (const key in fields) {
      const checked = fields[key](source.get(key), at === '' ? key : `${at}.${key}`);
      if (checked !== undefined) found[key] = checked;
    }
    return found as T;
  };

// ── The file ──

const MOST_POINTS = 60_000;
const MOST_REFLECTIONS = 100_000;
const points = list(number, MOST_POINTS);
const reflections = list(number, MOST_REFLECTIONS);
const estimate = record<Estimate>({ value: number, esd: orNull(number) });
const started = record<Estimate & { start: number }>({ value: number, esd: orNull(number), start: number });
const region = list(number, 2, 2);

const data = record<XrdData>({
  x: list(within(0, 180), MOST_POINTS, 2),
  y: points,
  name: oneOf('pristine', 'normlized'),
  background_removed: yesNo,
});

const lines = list(record<RefineResult['wavelengths'][number]>({ wavelength: number, weight: number }), 3, 1);

const storedRecord = record<MeasurementRecord>({
  format: text(),
  axis: text(),
  step: optional(number),
  step_seconds: optional(number),
  anode: optional(text()),
  k_alpha1: optional(number),
  k_alpha2: optional(number),
  k_alpha_ratio: optional(number),
  monochromator: optional(text()),
  divergence_slit: optional(text()),
  is_slit_variable: yesNo,
  radiation: optional(text()),
  wavelengths: optional(lines),
});

/** Files written before 28 November 2026 have no `wavelengths`, but the Kα1 and Kα2 from which they follow. */
const measurementRecord: Check<MeasurementRecord> = (value, at) => {
  const read = storedRecord(value, at);
  const { radiation, k_alpha1, k_alpha2, k_alpha_ratio = 0.5 } = read;
  if (read.wavelengths || radiation === undefined || k_alpha1 === undefined) return read;
  const first = { wavelength: k_alpha1, weight: 1 };
  const isAlone = radiation.endsWith('Ka1') || radiation === String(k_alpha1);
  return {
    ...read,
    wavelengths:
      isAlone || k_alpha2 === undefined ? [first] : [first, { wavelength: k_alpha2, weight: k_alpha_ratio }],
  };
};

const widths = record<LineWidths>({
  u: number,
  v: number,
  w: number,
  x: number,
  y: number,
  axial: optional(list(within(0, 0.2), 2, 2)),
});

const chosenPhase = record<ChosenPhase>({
  key: text(),
  structId: orNull(within(1, Number.MAX_SAFE_INTEGER)),
  cif: orNull(text(MAX_CIF_BYTES)),
  name: text(),
  spaceGroup: text(),
  strain: within(-0.05, 0.05),
  hasTexture: yesNo,
  particleSize: orNull(within(0, 1000)),
  standardPercent: orNull(within(0, 100)),
});

const settings = record<RefineSettings>({
  method: oneOf('rietveld', 'le-bail'),
  from: orNull(within(0, 180)),
  to: orNull(within(0, 180)),
  excluded: (value, at) => {
    const found = text()(value, at);
    return regionsIn(found) === null ? wrong(at) : found;
  },
  shift: oneOf('automatic', 'displacement', 'zero', 'none'),
  backgroundTerms: orNull(within(1, 24)),
  humps: within(0, 3),
  instrument: oneOf(...INSTRUMENTS, 'own'),
  monochromator: orNull(within(0, 180)),
  kBeta: orNull(within(0, 20)),
  radius: orNull(within(0, 2000)),
  // Files written before November 2026 have neither `slit` nor `thickness`.
  slit: (value, at) => (value === undefined ? 'file' : oneOf('file', 'fixed', 'variable')(value, at)),
  thickness: (value, at) => (value === undefined ? null : orNull(within(0, 100))(value, at)),
  isManual: yesNo,
  cell: yesNo,
  profile: yesNo,
  overallB: yesNo,
  axialDivergence: yesNo,
});

type Phase = RefineResult['phases'][number];
type Broadening = Phase['broadening'];

const broadening = record<Broadening>({
  status: oneOf('broadened', 'instrument-only', 'uncalibrated', 'few-lines'),
  statement: text(),
  size: orNull(estimate),
  size_at_least: orNull(number),
  strain: orNull(estimate),
  strain_at_most: orNull(number),
  scherrer_constant: number,
  intercept: orNull(estimate),
  slope: orNull(estimate),
  covariance: orNull(number),
  scatter: orNull(number),
  lines: list(
    record<Broadening['lines'][number]>({
      two_theta: number,
      hkl: text(),
      breadth: estimate,
      instrument: orNull(number),
      four_sin_theta: number,
      beta_cos_theta: estimate,
    }),
    1000,
  ),
});

const refinedPhase = record<Phase>({
  name: text(),
  struct_id: orNull(number),
  formula: text(),
  space_group: text(),
  weight_fraction: orNull(estimate),
  absolute_weight_fraction: orNull(estimate),
  scale: orNull(estimate),
  cell: record<Phase['cell']>({
    a: started,
    b: started,
    c: started,
    alpha: started,
    beta: started,
    gamma: started,
    volume: started,
  }),
  density: number,
  r_bragg: number,
  texture: orNull(record<NonNullable<Phase['texture']>>({ axis: list(number, 3, 3), r: estimate })),
  overall_b: estimate,
  size: orNull(estimate),
  strain: orNull(estimate),
  broadening,
  microabsorption: orNull(number),
  two_theta: reflections,
  d: reflections,
  hkl: list(text(40), MOST_REFLECTIONS),
  intensity: reflections,
});

const result = record<RefineResult>({
  error: oneOf('false'),
  message: text(),
  method: oneOf('rietveld', 'le-bail'),
  verdict: oneOf('good', 'usable', 'poor'),
  statement: text(),
  notices: list(record<RefineResult['notices'][number]>({ code: text(), message: text() }), 200),
  two_theta: points,
  measured: points,
  calculated: points,
  background: points,
  excluded: list(region, 1000),
  phases: list(refinedPhase, MAX_PHASES, 1),
  r_wp: number,
  r_exp: number,
  r_p: number,
  r_wp_peaks: number,
  chi_squared: number,
  esd_factor: number,
  zero: orNull(estimate),
  displacement: orNull(estimate),
  displacement_mm: orNull(estimate),
  amorphous_fraction: orNull(estimate),
  instrument: widths,
  parameters: list(
    record<RefineResult['parameters'][number]>({
      name: text(),
      phase: orNull(within(0, MAX_PHASES - 1)),
      value: number,
      esd: orNull(number),
    }),
    1000,
  ),
  wavelengths: lines,
  points: number,
  cycles: number,
  converged: yesNo,
  seconds: number,
  waited_seconds: number,
});

const project = record<Project>({
  fileName: text(),
  warnings: list(text(), 100),
  record: orNull(measurementRecord),
  data,
  // Older files have none.
  sigmas: optional(list(within(Number.MIN_VALUE, Number.MAX_VALUE), MOST_POINTS)),
  radiation: text(40),
  phases: list(chosenPhase, MAX_PHASES),
  settings,
  ownInstrument: orNull(widths),
  result: orNull(result),
});

/** Lists that belong together must have the same length, and angles must increase. */
function checkLists({ data: { x, y }, sigmas = x, result: answer }: Project): void {
  if (y.length !== x.length) wrong('data.y');
  if (sigmas.length !== x.length) wrong('sigmas');
  if (x.some((angle, i) => i > 0 && !(angle > (x[i - 1] ?? angle)))) wrong('data.x');
  if (!answer) return;
  for (const key of ['measured', 'calculated', 'background'] as const)
    if (answer[key].length !== answer.two_theta.length) wrong(`result.${key}`);
  answer.phases.forEach((phase, index) => {
    for (const key of ['d', 'hkl', 'intensity'] as const)
      if (phase[key].length !== phase.two_theta.length) wrong(`result.phases.${index}.${key}`);
  });
}

export const writeProject = (content: Project): string =>
  JSON.stringify({ format: PROJECT_FORMAT, version: PROJECT_VERSION, ...content });

/** The project in a file, with unknown fields dropped, or the reason why the file is not a project. */
export function readProject(content: string): Project | ProjectProblem {
  let found: unknown;
  try {
    found = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    return { kind: 'foreign' };
  }
  if (typeof found !== 'object' || found === null) return { kind: 'foreign' };
  const { format, version } = found as { readonly format?: unknown; readonly version?: unknown };
  if (format !== PROJECT_FORMAT || typeof version !== 'number') return { kind: 'foreign' };
  if (version !== PROJECT_VERSION) return { kind: 'version', version };
  try {
    const read = project(found, '');
    checkLists(read);
    return read;
  } catch (error) {
    if (error instanceof WrongField) return { kind: 'field', field: error.field };
    throw error;
  }
}
