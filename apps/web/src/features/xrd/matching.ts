/** A match of the page: its settings, its requests, and the answers as they are drawn. */
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  xrdCancel,
  xrdExplain,
  xrdGet,
  xrdMatch,
  xrdNorData,
  xrdProgress,
  xrdReceive,
  xrdRemoveBg,
} from '@unitcell/contract/calls';
import type {
  MatchResult,
  MatchWay,
  MeasurementRecord,
  ReceivedPattern,
  ReferencePattern,
  RestResult,
  WithoutBackground,
  XrdConfidence,
  XrdData,
  XrdPeak,
} from '@unitcell/contract/xrd';
import { MATCH_ROW_FIELDS, MATCH_ROWS, MAX_MATCH_STRAIN } from '@unitcell/contract/xrd/rules';
import {
  background,
  type BadFilterReason,
  DiffractionError,
  findRadiationSource,
  neutronsOf,
  parseElementFilter,
  RADIATION_SOURCES,
  WAVELENGTH_LIMITS,
} from '@unitcell/diffraction';
import { useCallback, useRef, useState } from 'react';
import { useFailureToast } from '../../components/failure-toast.ts';
import { formulaText } from '../../components/formula.tsx';
import { answerTo, apiQuery, callApi, type RequestOf, type SentRequest } from '../../lib/api-client.ts';
import { namedRow } from '../../lib/rows.ts';
import { reflectionsOf } from '../../viz/xrd-plot/reflections.ts';
import { type MatchFigure, overlayOf } from '../../viz/xrd-match-plot/match-figure.ts';
import { scrollToElement } from '../../lib/motion.ts';

// Match settings of the form, and their validation.

export interface MatchSettings {
  /** Display name of the source (`CuKα`), a wavelength in Å as text, or `neutrons 1.594`. */
  readonly radiation: string;
  /** `only: Al N`, `include: Al N *` or empty. */
  readonly elements: string;
  readonly way: MatchWay;
  readonly allowsStrain: boolean;
  readonly rows: number;
  /** Whether the file states a variable slit, which gives the intensities a factor of sin θ. */
  readonly isSlitVariable?: boolean;
}

export const DEFAULT_SETTINGS: MatchSettings = {
  radiation: RADIATION_SOURCES[0]?.name ?? 'CuKα',
  elements: '',
  way: 'DTW',
  allowsStrain: true,
  rows: MATCH_ROWS.default,
};

/** Initial settings: the elements from the address (`?elements=Ti O`), otherwise all. */
export function settingsOf(parameters: URLSearchParams): MatchSettings {
  const elements = parameters.get('elements')?.trim() ?? '';
  const filter = `only: ${elements}`;
  return elements !== '' && readFilter(filter).kind === 'exactly'
    ? { ...DEFAULT_SETTINGS, elements: filter }
    : DEFAULT_SETTINGS;
}

export const ROW_CHOICES = [10, 20, 50, MATCH_ROWS.max] as const;

export const maxStrainOf = ({ allowsStrain }: MatchSettings): number => (allowsStrain ? MAX_MATCH_STRAIN : 0);

/** The method after a click on a checkbox. The two methods are exclusive, so each checkbox switches between them. */
export const otherWay = (way: MatchWay): MatchWay => (way === 'DTW' ? 'Euclidean' : 'DTW');

/** Wavelength in Å for the box beside the radiation. */
export const wavelengthText = (radiation: string): string =>
  isNeutrons(radiation)
    ? radiation.slice(NEUTRONS.length).trim()
    : String(RADIATION_SOURCES.find(({ name }) => name === radiation)?.wavelength ?? radiation);

/** Value of the drop-down for neutrons of any wavelength. */
export const NEUTRONS = 'neutrons';
export const isNeutrons = (radiation: string): boolean => radiation.startsWith(NEUTRONS);

/**
 * Name of the radiation for neutrons of the typed wavelength in Å; accepts a decimal comma. The default is a usual
 * wavelength of a monochromator.
 */
export const neutronsTyped = (wavelength = '1.54'): string => neutronsOf(wavelength.trim().replace(',', '.'));

/** False if the wavelength of neutrons is invalid or out of range. */
export function isRadiationValid(radiation: string): boolean {
  if (!isNeutrons(radiation)) return true;
  const wavelength = findRadiationSource(radiation)?.wavelength ?? 0;
  return wavelength >= WAVELENGTH_LIMITS.min && wavelength <= WAVELENGTH_LIMITS.max;
}

/** The radiation named in a file, as shown in the form; null if it names none. */
export const radiationIn = (record: MeasurementRecord | null): string | null =>
  record?.radiation === undefined ? null : (findRadiationSource(record.radiation)?.name ?? record.radiation);

/** Sources grouped by anode, as in the drop-down; a wavelength that is not that of a listed source follows. */
export const sourceGroups = (radiation: string): { group: string; items: string[] }[] => {
  const names = RADIATION_SOURCES.map(({ name }) => name);
  const anodes = [...new Set(names.map((name) => name.slice(0, 2)))];
  return [
    ...anodes.map((group) => ({ group, items: names.filter((name) => name.startsWith(group)) })),
    ...(names.includes(radiation) || isNeutrons(radiation) ? [] : [{ group: 'λ (Å)', items: [radiation] }]),
  ];
};

/** The parsed text of the element box: empty, a filter, or an error. */
export type FilterReading =
  | { readonly kind: 'all' }
  | { readonly kind: 'exactly' | 'atLeast'; readonly elements: readonly string[] }
  | { readonly kind: 'wrong'; readonly reason: BadFilterReason; readonly found: string };

export function readFilter(text: string): FilterReading {
  try {
    const filter = parseElementFilter(text);
    if (!filter) return { kind: 'all' };
    return { kind: filter.others ? 'atLeast' : 'exactly', elements: filter.elements };
  } catch (error) {
    if (!(error instanceof DiffractionError)) throw error;
    const { reason, found } = error.parameters as {
      readonly reason: BadFilterReason;
      readonly found?: string;
    };
    return { kind: 'wrong', reason, found: found ?? '' };
  }
}

export interface Hit {
  readonly structId: number;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly nsites: number;
  /** eV/atom; null if unknown. */
  readonly eHull: number | null;
  readonly distance: number;
  /** Relative change of the reference cell with the best fit. */
  readonly strain: number;
  /** Share of the measured intensity that this material explains, 0 to 1. */
  readonly explained: number;
  /** Share of the reference's own intensity that measured peaks confirm, 0 to 1. */
  readonly confirmed: number;
  readonly confidence: XrdConfidence;
  /** Strongest first. */
  readonly unexplained: readonly XrdPeak[];
  /** Ids of other phases with a similar fit. */
  readonly rivals: readonly number[];
}

/** A phase that was removed before matching the rest. */
export interface Phase {
  readonly hit: Hit;
  readonly reference: ReferencePattern;
}

/** One match, of the whole pattern or of the rest. */
export interface Round {
  readonly result: MatchResult;
  readonly hits: readonly Hit[];
  /** Phases removed before, oldest first. */
  readonly phases: readonly Phase[];
  /** The pattern that was matched, if phases were removed. */
  readonly rest: XrdData | null;
  /** Share of the measured intensity explained by all phases together, 0 to 1. */
  readonly explainedShare: number | null;
  /** The request; null if none was sent. */
  readonly sent: SentRequest | null;
  /** Unique id of the match. */
  readonly matchId: string;
}

/** Result rows with their named details. */
export function hitsOf({ results, hits }: Pick<MatchResult, 'results' | 'hits'>): Hit[] {
  return results.map((row, index) => {
    const { distance, struct_id, formula, space_group, nsites, ehull } = namedRow(MATCH_ROW_FIELDS, row);
    const hit = hits[index];
    return {
      distance,
      structId: struct_id,
      formula,
      spaceGroup: space_group,
      nsites,
      eHull: ehull,
      strain: hit?.strain ?? 0,
      explained: hit?.explained_share ?? 0,
      confirmed: hit?.confirmed_share ?? 0,
      confidence: hit?.confidence ?? 'none',
      unexplained: hit?.unexplained_peaks ?? [],
      rivals: hit?.rivals ?? [],
    };
  });
}

export const roundOf = (
  result: MatchResult | RestResult,
  phases: readonly Phase[],
  sent: SentRequest | null = null,
  matchId = '',
): Round => ({
  sent,
  matchId,
  result,
  hits: hitsOf(result),
  phases,
  rest: 'rest' in result ? result.rest : null,
  explainedShare: 'explained_share' in result ? result.explained_share : null,
});

/** The hit of the verdict, or the first hit if the hit of the verdict is not among the rows. */
export const namedHit = ({ hits, result }: Round): Hit | null =>
  hits.find(({ structId }) => structId === result.named) ?? hits[0] ?? null;

/** A poor match that explains at least this share of the intensity may be one of several phases in the sample. */
const WORTH_SHOWING_SHARE = 0.3;

/** The hit to show over the measurement without a click, if any is good enough. */
export function firstWorthShowing(round: Round): Hit | null {
  const named = namedHit(round);
  return named && (named.confidence !== 'none' || named.explained >= WORTH_SHOWING_SHARE) ? named : null;
}

/** Height in % of the strongest peak; lower peaks may be background or noise. */
export const CLEAR_PEAK = 2;

/** Clear peaks that a hit does not explain. The table of peaks includes weaker ones. */
export const clearlyUnexplained = ({ unexplained }: Pick<Hit, 'unexplained'>): readonly XrdPeak[] =>
  unexplained.filter(({ intensity }) => intensity >= CLEAR_PEAK);

/** Hits with a similar fit, by the server's rule. */
export const rivalsOf = ({ hits }: Round, { rivals }: Hit): Hit[] =>
  hits.filter(({ structId }) => rivals.includes(structId));

/** Angle in degrees up to which a reference pattern is needed. */
export const lastAngle = (data: XrdData): number =>
  Math.min(179, Math.max(1, Math.ceil(data.x.at(-1) ?? 90)));

/** Name in the chart and in files; ids distinguish polymorphs. */
export const phaseName = (formula: string, structId: number): string =>
  `${formulaText(formula)} (${structId})`;

const ticksOf = (reference: ReferencePattern, from: number, to: number) => ({
  name: phaseName(reference.formula, reference.struct_id),
  reflections: reflectionsOf(reference).filter(({ twoThetaDeg }) => twoThetaDeg >= from && twoThetaDeg <= to),
});

/** Content of the chart, without the range. */
export type PictureContent = Omit<MatchFigure, 'range' | 'isNarrow'>;

interface PictureParts {
  readonly data: XrdData;
  readonly before: XrdData | null;
  readonly round: Round | null;
  /** The hit over the measurement, with its pattern once loaded. */
  readonly hit: Hit | null;
  readonly reference: ReferencePattern | null;
}

export function pictureOf({ data, before, round, hit, reference }: PictureParts): PictureContent {
  const measured = round?.rest ?? data;
  const [from, to] = [measured.x[0] ?? 0, measured.x.at(-1) ?? 180];
  const baseline = measured.background_removed || !reference ? [] : background(measured.x, measured.y);
  return {
    measured,
    before: round?.rest ? data : before,
    isRest: Boolean(round?.rest),
    reference: reference && {
      ...ticksOf(reference, from, to),
      overlay: overlayOf(measured, reference, baseline),
    },
    explained: (round?.phases ?? []).map((phase) => ticksOf(phase.reference, from, to)),
    unexplained: reference && hit ? clearlyUnexplained(hit).map(({ two_theta }) => two_theta) : [],
  };
}

export interface PeakRow extends XrdPeak {
  /** True if the selected hit explains the peak; null if none is selected. */
  readonly isExplained: boolean | null;
}

/** The measured peaks, each with whether the hit explains it. */
export function peakRows(peaks: readonly XrdPeak[], hit: Hit | null): PeakRow[] {
  const open = new Set(hit?.unexplained.map(({ two_theta }) => two_theta));
  return peaks.map((peak) => ({ ...peak, isExplained: hit ? !open.has(peak.two_theta) : null }));
}

// Requests.

/** @throws ApiError with the server's message if the file is not a pattern */
export async function uploadPattern(file: File): Promise<ReceivedPattern> {
  const form = new FormData();
  form.set('xrd-file', file, file.name);
  return await answerTo(xrdReceive, form);
}

export const normalisePattern = (data: XrdData): Promise<XrdData> => answerTo(xrdNorData, { xrd_data: data });

export const removeBackground = (data: XrdData): Promise<WithoutBackground> =>
  answerTo(xrdRemoveBg, { xrd_data: data, isNormalize: data.name === 'normlized' });

/** The calculated pattern of a hit, as used in the match; idle without a hit. */
export function useReference(round: Round | null, hit: Hit | null, twoThetaMax: number) {
  const body = {
    struct_id: hit?.structId ?? 0,
    crystal_size: round?.result.crystal_size ?? 0,
    radiation: round?.result.radiation ?? '',
    strain: hit?.strain ?? 0,
    two_theta_max: twoThetaMax,
  };
  return useQuery({
    ...apiQuery({ call: xrdGet, body }),
    enabled: round !== null && hit !== null,
    retry: false,
    staleTime: Infinity,
  });
}

// Matches, refinements and identifications are followed and cancelled by an id.

export interface Running {
  readonly id: string;
  readonly stop: AbortController;
}

/** randomUUID is missing on plain http sites other than localhost. */
const newMatchId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** One running request at a time. */
export function useRunning() {
  const running = useRef<Running | null>(null);
  const begin = (): Running => (running.current = { id: newMatchId(), stop: new AbortController() });
  /** False if the request was cancelled, or another one has begun: its result is then ignored. */
  const end = (own: Running): boolean => {
    const isCurrent = running.current === own;
    if (isCurrent) running.current = null;
    return isCurrent;
  };
  const cancel = useCallback((): void => {
    const current = running.current;
    running.current = null;
    if (!current) return;
    current.stop.abort();
    // Closing the connection also cancels the request, unless a proxy keeps the connection open.
    callApi(xrdCancel, { match_id: current.id }).catch(() => undefined);
  }, []);
  return { begin, end, cancel };
}

// Successive matches: first the whole pattern, then the part that earlier phases do not explain.

/** The request as shown to the visitor, without the match id, which only serves to follow progress. */
function requestFor(data: XrdData, settings: MatchSettings, phases: readonly Phase[]) {
  const body = {
    xrd_data: data,
    elements: settings.elements,
    radiation: settings.radiation,
    match_way: settings.way,
    top: settings.rows,
    max_strain: maxStrainOf(settings),
    ...(settings.isSlitVariable === true ? { variable_slit: true } : {}),
  };
  if (phases.length === 0) return { call: xrdMatch, body } satisfies RequestOf<typeof xrdMatch>;
  const taken = phases.map(({ hit }) => ({ struct_id: hit.structId, strain: hit.strain }));
  return { call: xrdExplain, body: { ...body, phases: taken } } satisfies RequestOf<typeof xrdExplain>;
}

function ask(
  { call, body }: ReturnType<typeof requestFor>,
  { id, stop: { signal } }: Running,
): Promise<MatchResult | RestResult> {
  const request = { ...body, match_id: id };
  const options = { signal, isFollowed: true };
  return 'phases' in request ? answerTo(xrdExplain, request, options) : answerTo(call, request, options);
}

interface Match {
  readonly data: XrdData;
  readonly settings: MatchSettings;
  readonly phases: readonly Phase[];
  readonly running: Running;
}

/** @param onFound called with each completed round */
export function useMatching(onFound: (round: Round) => void) {
  const [rounds, setRounds] = useState<readonly Round[]>([]);
  const { begin, end, cancel: cancelRunning } = useRunning();
  const { mutate, reset, isPending, variables, error } = useMutation<Round, Error, Match>({
    mutationFn: async ({ data, settings, phases, running }) => {
      const sent = requestFor(data, settings, phases);
      return roundOf(await ask(sent, running), phases, sent, running.id);
    },
    onSuccess: (round, { phases, running }) => {
      if (!end(running)) return;
      setRounds((before) => [...before.slice(0, phases.length), round]);
      onFound(round);
    },
    onError: useFailureToast(),
  });
  const cancel = (): void => {
    reset();
    cancelRunning();
  };
  return {
    /** Oldest first; empty before the first match. */
    rounds,
    runningId: isPending ? variables.running.id : null,
    /** Error of the last match; null once the next one starts. */
    error,
    /** Matches the pattern; with phases, the part they do not explain. */
    match: (data: XrdData, settings: MatchSettings, phases: readonly Phase[] = []): void => {
      cancel();
      mutate({ data, settings, phases, running: begin() });
    },
    cancel,
    /** Returns to the previous round. */
    back: (): void => setRounds((before) => before.slice(0, -1)),
    /** Clears everything for a new pattern. */
    clear: (): void => {
      cancel();
      setRounds([]);
    },
  };
}

const ASK_EVERY_MS = 600;

/** Polls the progress of a match while there is a `matchId`. */
export const useMatchProgress = (matchId: string | null) =>
  useQuery({
    ...apiQuery({ call: xrdProgress, body: { match_id: matchId ?? '' } }),
    enabled: matchId !== null,
    retry: false,
    gcTime: 0,
    refetchInterval: ASK_EVERY_MS,
  });

// Scrolling the chart and the answers into view. In wide windows the chart is sticky.

export const CHART_ID = 'xrd-chart';
export const RESULTS_ID = 'results';
export const REFINE_ID = 'refine';
export const IDENTIFIED_ID = 'identified';
export const REFINED_ID = 'refined';

/** Height of the navigation bar plus a margin. */
const TOP_PX = 72;

export function showResults(): void {
  const results = document.getElementById(RESULTS_ID);
  const chart = document.getElementById(CHART_ID);
  if (!results || !chart) return;
  const isChartKept = getComputedStyle(chart).position === 'sticky';
  scrollToElement(results, TOP_PX + (isChartKept ? chart.offsetHeight : 0));
}

/** Scrolls to the chart if it is out of view; otherwise a visitor reading the rows keeps the position. */
export function showChart(): void {
  const chart = document.getElementById(CHART_ID);
  if (!chart) return;
  const { top, bottom } = chart.getBoundingClientRect();
  if (bottom < 2 * TOP_PX || top > window.innerHeight - TOP_PX) scrollToElement(chart);
}

/** Scrolls the answer of an identification or refinement to the top, or the section that starts one. */
export function showRefinement(): void {
  const place = [IDENTIFIED_ID, REFINED_ID, REFINE_ID]
    .map((id) => document.getElementById(id))
    .find((found) => found !== null);
  if (place) scrollToElement(place, TOP_PX);
}
