/** A phase diagram as the page shows it: one list of phases with positions, and the lines between them. */
import type { GibbsOrigin } from '@unitcell/contract/phase-diagram/rules';
import type {
  HullLine,
  PhaseDiagramData,
  PlacedCompound,
  StablePhases,
  UnstablePhases,
} from '@unitcell/contract/phase-diagram';
import { formatNumber, readNumber } from '../../lib/format.ts';

export interface Phase {
  readonly key: string;
  /** struct_id; null for an element that the scale contains only as a reference. */
  readonly id: number | null;
  readonly formula: string;
  readonly spaceGroup: string;
  /** eV/atom */
  readonly formationEnergy: number;
  /** eV/atom */
  readonly aboveHull: number;
  readonly isStable: boolean;
  /** Decomposition products; empty for stable phases. */
  readonly decomposition: string;
  /** At a temperature: the source of the Gibbs energy, and the certainty of the stability. */
  readonly gibbs?: PhaseAtTemperature;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface PhaseAtTemperature {
  readonly source: GibbsOrigin;
  /** Expected error of the energy distance to the competing phases, eV/atom. */
  readonly error: number;
  readonly isUndecided: boolean;
  /** Probability that the phase is stable; null if unknown. */
  readonly probability: number | null;
}

/** Which unstable phases are shown. */
export interface UnstableChoice {
  /** Null: no choice yet; they are then shown if the material of the page is unstable. */
  readonly isShown: boolean | null;
  /** Highest energy above the hull, eV/atom; null for all. */
  readonly limit: number | null;
}

export const NO_UNSTABLE_CHOICE: UnstableChoice = { isShown: null, limit: null };

/** The choice in an address: `unstable=1&above=0.05`. */
export function readUnstable(parameters: URLSearchParams): UnstableChoice {
  const shown = parameters.get('unstable');
  const limit = readNumber(parameters.get('above') ?? '');
  return {
    isShown: shown === '1' ? true : shown === '0' ? false : null,
    limit: limit === null || limit < 0 ? null : limit,
  };
}

/** The parameters of an address for the choice. */
export const unstableParameters = ({ isShown, limit }: UnstableChoice): Readonly<Record<string, string>> => ({
  ...(isShown === null ? {} : { unstable: isShown ? '1' : '0' }),
  ...(limit === null ? {} : { above: String(limit) }),
});

/**
 * The drawn plane of chemical potentials and the marked gas, as texts of the address:
 * `axes=Fe,O&held=Li,-2.5&mark=O2,1000,0.21`. The section that draws them reads the texts.
 */
export interface PlaneChoice {
  /** Symbols of the elements on the axes; null for the first plane. */
  readonly axes: string | null;
  /** The element whose potential is fixed, and the potential in eV/atom; null for the middle of the region. */
  readonly held: string | null;
  /** The marked gas, or `none`; null for air. */
  readonly mark: string | null;
}

export const readPlane = (parameters: URLSearchParams): PlaneChoice => ({
  axes: parameters.get('axes'),
  held: parameters.get('held'),
  mark: parameters.get('mark'),
});

export const NO_PLANE_CHOICE = readPlane(new URLSearchParams());

/** The parameters of an address for the plane. */
export const planeParameters = ({ axes, held, mark }: PlaneChoice): Readonly<Record<string, string>> => ({
  ...(axes && { axes }),
  ...(held && { held }),
  ...(mark && { mark }),
});

export interface Diagram {
  readonly components: readonly string[];
  readonly title: string;
  readonly stable: readonly Phase[];
  readonly unstable: readonly Phase[];
  readonly lines: readonly HullLine[];
  readonly corners: PhaseDiagramData['annotations'];
  readonly functional: string;
}

function gibbsOf(series: StablePhases | UnstablePhases, i: number): Pick<Phase, 'gibbs'> {
  const source = series.gibbs_source?.[i];
  if (source === undefined) return {};
  return {
    gibbs: {
      source,
      error: series.expected_error?.[i] ?? 0,
      isUndecided: series.undecided?.[i] ?? false,
      probability: series.probability?.[i] ?? null,
    },
  };
}

function phasesOf(series: StablePhases | UnstablePhases): Phase[] {
  const ids = 'tid' in series ? series.tid : series.id;
  return series.formula.map((formula, i) => ({
    key: `${series.name}-${ids[i] ?? formula}`,
    id: ids[i] ?? null,
    formula,
    spaceGroup: series.space_group[i] ?? '',
    formationEnergy: series.fEnergy[i] ?? 0,
    aboveHull: series.eAboveHull[i] ?? 0,
    isStable: series.name === 'Stable',
    decomposition: 'decomposition' in series ? (series.decomposition[i] ?? '') : '',
    ...gibbsOf(series, i),
    x: series.x[i] ?? 0,
    y: series.y[i] ?? 0,
    z: series.z?.[i] ?? 0,
  }));
}

/** The visitor's own compound as a phase of the diagram. */
export const placedPhase = ({
  formula,
  fEnergy,
  eAboveHull,
  decomposition,
  x,
  y,
  z = 0,
}: PlacedCompound): Phase => ({
  key: 'placed',
  id: null,
  formula,
  spaceGroup: '',
  formationEnergy: fEnergy,
  aboveHull: eAboveHull,
  isStable: eAboveHull <= 0,
  decomposition: decomposition
    .map((part) => (decomposition.length > 1 ? `${formatNumber(part.fraction)} ` : '') + part.formula)
    .join(' + '),
  x,
  y,
  z,
});

export function diagramOf(answer: PhaseDiagramData): Diagram {
  const { data, annotations, components, title, functional } = answer;
  return {
    components,
    title,
    stable: data.filter((series) => 'id' in series).flatMap(phasesOf),
    unstable: data.filter((series) => 'tid' in series).flatMap(phasesOf),
    lines: data.filter((series): series is HullLine => series.name === 'Hull'),
    corners: annotations,
    functional,
  };
}

/** Address of the page that draws these components. */
export function diagramPath(components: readonly string[], scale: string | null): string {
  const parameters = new URLSearchParams({ q: components.join(' ') });
  if (scale !== null) parameters.set('scale', scale);
  return `/phase?${parameters.toString()}`;
}

/** Address of the same page with the chemical potentials of a stable compound. */
export const potentialsPath = (
  components: readonly string[],
  scale: string | null,
  compound: string,
): string => `${diagramPath(components, scale)}&${new URLSearchParams({ compound }).toString()}#potentials`;

/** Upper end of the slider: the highest unstable phase, rounded up to 0.05 eV/atom; at least 0.05. */
export const highestAboveHull = ({ unstable }: Diagram): number =>
  Math.max(0.05, Math.ceil(Math.max(0, ...unstable.map(({ aboveHull }) => aboveHull)) / 0.05) * 0.05);

/** Phases up to the slider's energy above the hull. */
export const withinLimit = (phases: readonly Phase[], limit: number): readonly Phase[] =>
  phases.filter(({ aboveHull }) => aboveHull <= limit + 1e-12);

const isElement = (text: string): boolean => /^[A-Z][a-z]?\d*$/.test(text);

/** Formulas of the stable compounds of a diagram between elements, most elements first; empty for diagrams between compounds. */
export function stableCompounds({ components, data }: PhaseDiagramData): readonly string[] {
  if (!components.every(isElement)) return [];
  const formulas = (data.at(-1) as StablePhases).formula.filter((formula) => !isElement(formula));
  const elements = (formula: string): number => formula.match(/[A-Z]/g)?.length ?? 0;
  return [...new Set(formulas)].sort((a, b) => elements(b) - elements(a) || a.localeCompare(b, 'en'));
}

/** Formula of a material if it is one of the stable compounds. */
export function stableCompound(answer: PhaseDiagramData, structId: number): string | null {
  const { id, formula } = answer.data.at(-1) as StablePhases;
  const own = formula[id.indexOf(structId)] ?? '';
  return stableCompounds(answer).includes(own) ? own : null;
}
