/** State of the refinement on the page: phases, settings, the request built from them, and the answer as tables. */
import { xrdIdentify, xrdRefine } from '@unitcell/contract/calls';
import type {
  IdentifyResult,
  MeasurementRecord,
  RefinedPhase,
  RefineResult,
  XrdData,
} from '@unitcell/contract/xrd';
import { MAX_EXCLUDED, MAX_PHASE_NAME, MAX_PHASES } from '@unitcell/contract/xrd/rules';
import { formulaText } from '../../../components/formula.tsx';
import type { RequestOf } from '../../../lib/api-client.ts';
import type { RefineFigure } from '../../../viz/xrd-refine-plot/refine-figure.ts';
import { type Hit, radiationIn, type Round } from '../matching.ts';

// ── Phases ──

export interface ChosenPhase {
  /** `138`, or the name of the file. */
  readonly key: string;
  /** Null for a CIF. */
  readonly structId: number | null;
  readonly cif: string | null;
  /** Formula, or the name of the file. */
  readonly name: string;
  readonly spaceGroup: string;
  /** Strain of the hit, which gives the starting cell. */
  readonly strain: number;
  readonly hasTexture: boolean;
  /** µm */
  readonly particleSize: number | null;
  /** Weight fraction of the internal standard in the sample as weighed, %. */
  readonly standardPercent: number | null;
}

const PLAIN = { cif: null, strain: 0, hasTexture: true, particleSize: null, standardPercent: null } as const;

export const phaseOfMaterial = (
  structId: number,
  name: string,
  spaceGroup: string,
  strain = 0,
): ChosenPhase => ({ ...PLAIN, key: String(structId), structId, name, spaceGroup, strain });

export const phaseOfHit = ({ structId, formula, spaceGroup, strain }: Hit): ChosenPhase =>
  phaseOfMaterial(structId, formula, spaceGroup, strain);

export const phaseOfCif = (name: string, cif: string): ChosenPhase => ({
  ...PLAIN,
  key: name,
  structId: null,
  cif,
  name: name.replace(/\.[^.]*$/, '').slice(0, MAX_PHASE_NAME),
  spaceGroup: '',
});

/** A phase with the same key is replaced; phases beyond the limit are not added. */
export function withPhase(phases: readonly ChosenPhase[], phase: ChosenPhase): readonly ChosenPhase[] {
  if (phases.some(({ key }) => key === phase.key))
    return phases.map((other) => (other.key === phase.key ? phase : other));
  return phases.length < MAX_PHASES ? [...phases, phase] : phases;
}

/** Phases proposed by a match: those already removed from the pattern, and the one shown. */
export const proposedPhases = ({ phases }: Round, shown: Hit | null): readonly ChosenPhase[] =>
  [...phases.map(({ hit }) => hit), ...(shown ? [shown] : [])].map(phaseOfHit).slice(-MAX_PHASES);

// ── Settings ──

export type Instrument = 'estimate' | 'laboratory' | 'laboratory-sharp' | 'laboratory-broad' | 'synchrotron';

export interface RefineSettings {
  readonly method: 'rietveld' | 'le-bail';
  /** Degrees; null: as measured. */
  readonly from: number | null;
  readonly to: number | null;
  /** `20-22, 35.1-36` */
  readonly excluded: string;
  /** `automatic`: the sample displacement; for neutrons and a synchrotron the zero shift. */
  readonly shift: 'automatic' | 'displacement' | 'zero' | 'none';
  readonly backgroundTerms: number | null;
  readonly humps: number;
  /** `own`: line widths of a measured standard, stored in this browser. */
  readonly instrument: Instrument | 'own';
  /** 2θ of the monochromator crystal in degrees. */
  readonly monochromator: number | null;
  /** Intensity of Kβ relative to Kα1, %. */
  readonly kBeta: number | null;
  /** mm */
  readonly radius: number | null;
  /** `file`: variable if the file says so, otherwise fixed. */
  readonly slit: 'file' | 'fixed' | 'variable';
  /** μt of a thin sample; null for a thick sample. */
  readonly thickness: number | null;
  /** False: the server chooses which parameters are refined. */
  readonly isManual: boolean;
  readonly cell: boolean;
  readonly profile: boolean;
  readonly overallB: boolean;
  readonly axialDivergence: boolean;
}

export const DEFAULT_REFINE_SETTINGS: RefineSettings = {
  method: 'rietveld',
  from: null,
  to: null,
  excluded: '',
  shift: 'automatic',
  backgroundTerms: null,
  humps: 0,
  instrument: 'estimate',
  monochromator: null,
  kBeta: null,
  radius: null,
  slit: 'file',
  thickness: null,
  isManual: false,
  cell: true,
  profile: true,
  overallB: false,
  axialDivergence: false,
};

/** The regions of a text such as `20-22, 35.1-36`; null if it is invalid or has too many. */
export function regionsIn(text: string): [number, number][] | null {
  const regions: [number, number][] = [];
  for (const part of text.split(/[,;，；]/)) {
    if (part.trim() === '') continue;
    const [, from, to] = /^\s*(\d+(?:\.\d+)?)\s*(?:-|–|~|to)\s*(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    if (from === undefined || to === undefined || !(Number(from) < Number(to))) return null;
    regions.push([Number(from), Number(to)]);
  }
  return regions.length > MAX_EXCLUDED ? null : regions;
}

/** The wavelengths of the file, if the form has the file's radiation. */
const linesIn = (record: MeasurementRecord | null, radiation: string) =>
  record?.wavelengths !== undefined && radiationIn(record) === radiation
    ? { wavelengths: record.wavelengths }
    : {};

const isSlitVariable = ({ slit }: RefineSettings, record: MeasurementRecord | null): boolean =>
  slit === 'file' ? record?.is_slit_variable === true : slit === 'variable';

/** Square of the ratio of full width at half maximum to standard deviation of a Gaussian: 8 ln 2. */
const FWHM_SQUARED = 8 * Math.LN2;

/**
 * Line widths of a GSAS-II instrument file (`.instprm`, lines such as `U:2.0;V:-2.0`): U, V, W are variances in hundredths
 * of a degree squared, X and Y full widths in hundredths of a degree, SH/L both half heights together over the radius.
 * @returns null if the text is no such file of one wavelength
 */
export function gsasWidths(text: string): RefineResult['instrument'] | null {
  const values = new Map(
    text
      .split(/[\n;]/)
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.split(':').map((piece) => piece.trim()) as [string, string | undefined]),
  );
  const numberOf = (name: string): number => Number(values.get(name) ?? Number.NaN);
  const [u, v, w, x, y] = ['U', 'V', 'W', 'X', 'Y'].map(numberOf) as [number, number, number, number, number];
  if (!/^P[XN]C$/.test(values.get('Type') ?? '') || ![u, v, w, x, y].every(Number.isFinite)) return null;
  const heights = Math.min(0.4, Math.max(0, numberOf('SH/L') || 0));
  const gaussian = (value: number): number => (FWHM_SQUARED * value) / 1e4;
  return {
    u: gaussian(u),
    v: gaussian(v),
    w: gaussian(w),
    x: x / 100,
    y: y / 100,
    axial: [heights / 2, heights / 2],
  };
}

export interface RefineInput {
  /** The pattern as uploaded, because refinement needs the counts. */
  readonly data: XrdData;
  /** Standard deviations of the intensities; the server takes those of counts by default. */
  readonly sigmas?: readonly number[] | undefined;
  readonly record: MeasurementRecord | null;
  /** Radiation selected in the form. */
  readonly radiation: string;
  readonly phases: readonly ChosenPhase[];
  readonly settings: RefineSettings;
  readonly ownInstrument: RefineResult['instrument'] | null;
}

export function refineRequest(input: RefineInput) {
  const { data, sigmas, record, radiation, phases, settings, ownInstrument } = input;
  const { from, to } = settings;
  const own = settings.instrument === 'own' ? ownInstrument : null;
  const body = {
    xrd_data: data,
    ...(sigmas === undefined ? {} : { sigmas: [...sigmas] }),
    radiation,
    ...linesIn(record, radiation),
    phases: phases.map((phase) => ({
      ...(phase.structId === null
        ? { cif: phase.cif ?? '', name: phase.name }
        : { struct_id: phase.structId, strain: phase.strain }),
      ...(phase.hasTexture ? {} : { texture: 'none' as const }),
      ...(phase.particleSize === null ? {} : { particle_size: phase.particleSize }),
      ...(phase.standardPercent === null ? {} : { standard_fraction: phase.standardPercent / 100 }),
    })),
    method: settings.method,
    ...(from === null && to === null ? {} : { range: [from ?? data.x[0] ?? 0, to ?? data.x.at(-1) ?? 180] }),
    excluded: regionsIn(settings.excluded) ?? [],
    ...(settings.shift === 'automatic' ? {} : { shift: settings.shift }),
    ...(settings.backgroundTerms === null ? {} : { background_terms: settings.backgroundTerms }),
    humps: settings.humps,
    ...(settings.instrument === 'own' ? {} : { instrument: settings.instrument }),
    ...(own ? { instrument: own, is_calibrated: true } : {}),
    ...(settings.monochromator === null ? {} : { monochromator: settings.monochromator }),
    ...(settings.kBeta === null ? {} : { k_beta: settings.kBeta / 100 }),
    ...(isSlitVariable(settings, record) ? { variable_slit: true } : {}),
    ...(settings.thickness === null ? {} : { sample_thickness: settings.thickness }),
    ...(settings.radius === null ? {} : { goniometer_radius: settings.radius }),
    refined: settings.isManual
      ? {
          cell: settings.cell,
          profile: settings.profile,
          overall_b: settings.overallB,
          axial_divergence: settings.axialDivergence,
          texture: 'automatic' as const,
        }
      : undefined,
  };
  return { call: xrdRefine, body } satisfies RequestOf<typeof xrdRefine>;
}

/** The request of an identification, with the settings of a refinement but without known phases. */
export function identifyRequest(input: Omit<RefineInput, 'phases'> & { readonly elements: string }) {
  const { phases: _, method: __, refined: ___, ...body } = refineRequest({ ...input, phases: [] }).body;
  return { call: xrdIdentify, body: { ...body, elements: input.elements } } satisfies RequestOf<
    typeof xrdIdentify
  >;
}

/** The identified phases as input for a refinement with other options. */
export const identifiedPhases = ({ phases }: IdentifyResult): readonly ChosenPhase[] =>
  phases.map(({ struct_id, formula, space_group }) => phaseOfMaterial(struct_id, formula, space_group));

// ── Answer ──

/** A value with its e.s.d. in parentheses, as crystallographers write it: `4.75912(5)`. */
export const withEsd = (value: number, esd: number | null): string =>
  plainWithEsd(value, esd)
    // A small negative value that rounds to zero has no sign.
    .replace(/^-(?=[0.]+\()/, '')
    .replace(/^-/, '\u2212');

function plainWithEsd(value: number, esd: number | null): string {
  if (esd === null || !(esd > 0)) return Number(value.toPrecision(6)).toString();
  // The e.s.d. has two digits if the first is a 1: (12), but (3).
  const exponent = Math.floor(Math.log10(esd));
  const decimals = Math.max(0, -exponent + (esd / 10 ** exponent < 1.95 ? 1 : 0));
  const digits = Math.round(esd * 10 ** decimals);
  return `${value.toFixed(decimals)}(${digits})`;
}

/** A share in percent with its e.s.d.: `63.4(5)`. */
export const percentWithEsd = ({ value, esd }: { value: number; esd: number | null }): string =>
  withEsd(100 * value, esd === null ? null : 100 * esd);

const CELL_NAMES = { a: 'a', b: 'b', c: 'c', alpha: 'α', beta: 'β', gamma: 'γ', volume: 'V' } as const;
export type CellName = keyof typeof CELL_NAMES;

export interface CellRow {
  readonly key: string;
  readonly phase: string;
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly esd: number | null;
  readonly start: number;
}

const SAME = 1e-7;

const unitOf = (of: CellName): string => (of === 'volume' ? 'Å³' : 'abc'.includes(of) ? 'Å' : '°');

/**
 * The independent cell parameters and the volume. Edges and angles that equal another one and angles of 90° or
 * 120° are omitted.
 */
export function cellRows(phases: readonly RefinedPhase[]): CellRow[] {
  const names = Object.keys(CELL_NAMES) as CellName[];
  return phases.flatMap(({ name, cell }, index) => {
    const isRepeated = (of: CellName, at: number): boolean =>
      names
        .slice(0, at)
        .some((before) => unitOf(before) === unitOf(of) && cell[before].value === cell[of].value) ||
      (unitOf(of) === '°' && [90, 120].some((angle) => Math.abs(cell[of].value - angle) < SAME));
    return names
      .filter((of, at) => !isRepeated(of, at))
      .map((of) => ({
        key: `${index} ${of}`,
        phase: name,
        name: CELL_NAMES[of],
        unit: unitOf(of),
        value: cell[of].value,
        esd: cell[of].esd,
        start: cell[of].start,
      }));
  });
}

/** Name of a phase in the figure and in files; ids distinguish polymorphs. */
export const nameOf = ({ name, formula, struct_id }: RefinedPhase): string =>
  struct_id === null ? name : `${formulaText(formula)} (${struct_id})`;

export function refinePicture(result: RefineResult): RefineFigure {
  const { two_theta, excluded } = result;
  const [first = 0, last = 180] = [two_theta[0], two_theta.at(-1)];
  return {
    x: two_theta,
    measured: result.measured,
    calculated: result.calculated,
    background: result.background,
    phases: result.phases.map((phase) => ({
      name: nameOf(phase),
      reflections: phase.two_theta.flatMap((twoThetaDeg, i) =>
        twoThetaDeg < first || twoThetaDeg > last
          ? []
          : [
              {
                twoThetaDeg,
                intensity: phase.intensity[i] ?? 0,
                forms: `(${phase.hkl[i]})`,
                dSpacing: phase.d[i] ?? null,
                height: 0,
              },
            ],
      ),
    })),
    excluded: excluded.map(([from = 0, to = 0]) => [from, to] as const),
    range: [Math.floor(first), Math.ceil(last)],
  };
}
