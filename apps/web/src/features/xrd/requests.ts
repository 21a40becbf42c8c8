/**
 * Requests of the page: uploads patterns, normalises them, removes the background, and matches the whole pattern or
 * what remains of it.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  getXrdHandle2,
  searchByFormula,
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
  MatchProgress,
  MatchResult,
  ReceivedPattern,
  ReferencePattern,
  RestResult,
  WithoutBackground,
  XrdData,
} from '@unitcell/contract/xrd';
import { REFERENCE_WAVELENGTH } from '@unitcell/diffraction';
import { type SearchResult, searchResultOf } from '@unitcell/material';
import { useCallback, useRef, useState } from 'react';
import { useFailureToast } from '../../components/failure-toast.ts';
import { answerTo, callApi, type RequestOf } from '../../lib/api-client.ts';
import { type CalculatedPeak, patternText, samplePattern } from './sample-pattern.ts';
import {
  type Hit,
  type MatchSettings,
  maxStrainOf,
  type Phase,
  pictureOf,
  type Round,
  roundOf,
} from './view-model.ts';

// A simulated measurement of a material of this site, for trying the matcher.

/** Materials for the sample, in order of preference: quartz, then other common powders. */
const SAMPLE_FORMULAS = ['SiO2', 'TiO2', 'NaCl', 'Al2O3', 'Si'];
const QUARTZ = new Set(['P3_121', 'P3_221']);

/** Quartz if present, otherwise the lowest in energy. */
function chosenOf(found: readonly SearchResult[]): SearchResult | undefined {
  const byEnergy = found.toSorted(
    (a, b) => (a.energyAboveHull ?? Infinity) - (b.energyAboveHull ?? Infinity),
  );
  return byEnergy.find(({ spaceGroup }) => QUARTZ.has(spaceGroup)) ?? byEnergy[0];
}

/** Null if the site has none of the common powders. */
async function findSample(): Promise<SearchResult | null> {
  for (const include of SAMPLE_FORMULAS) {
    const { results } = await answerTo(searchByFormula, { include });
    const chosen = chosenOf(results.map(searchResultOf));
    if (chosen) return chosen;
  }
  return null;
}

const SAMPLE_SIZE_NM = 60;

const peaksOf = ([peaks]: ReferencePattern['data']): CalculatedPeak[] =>
  (peaks?.x ?? []).map((twoThetaDeg, index) => ({ twoThetaDeg, intensity: peaks?.y[index] ?? 0 }));

/** Null if the site has none of the common powders. */
export async function makeSampleFile(): Promise<File | null> {
  const chosen = await findSample();
  if (!chosen) return null;
  const { structId, formula, spaceGroup } = chosen;
  const request = { struct_id: structId, wavelength: REFERENCE_WAVELENGTH, crystalSize: SAMPLE_SIZE_NM };
  const { data } = await answerTo(getXrdHandle2, request);
  const name = QUARTZ.has(spaceGroup) ? 'quartz' : formula;
  return new File([patternText(samplePattern(peaksOf(data)))], `${name}-sample.xy`, { type: 'text/plain' });
}

/**
 * The sample with the calculated pattern of its material, as the page shows the result of a match. Two light calls:
 * nothing is uploaded, and no match is queued.
 */
export const useExamplePattern = (isShown: boolean) =>
  useQuery({
    queryKey: ['xrd', 'example'],
    enabled: isShown,
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const chosen = await findSample();
      if (!chosen) return null;
      const request = { struct_id: chosen.structId, crystal_size: SAMPLE_SIZE_NM };
      const reference = await answerTo(xrdGet, request, { signal });
      const data = {
        ...samplePattern(peaksOf(reference.data)),
        name: 'pristine' as const,
        background_removed: false,
      };
      return {
        formula: chosen.formula,
        content: pictureOf({ data, before: null, round: null, hit: null, reference }),
      };
    },
  });

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
  const request = {
    struct_id: hit?.structId ?? 0,
    crystal_size: round?.result.crystal_size ?? 0,
    radiation: round?.result.radiation ?? '',
    strain: hit?.strain ?? 0,
    two_theta_max: twoThetaMax,
  };
  return useQuery({
    queryKey: ['xrd', 'reference', request],
    enabled: round !== null && hit !== null,
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }): Promise<ReferencePattern> => answerTo(xrdGet, request, { signal }),
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
  const begin = useCallback((): Running => {
    running.current = { id: newMatchId(), stop: new AbortController() };
    return running.current;
  }, []);
  /** False if the request was cancelled, or another one has begun: its result is then ignored. */
  const end = useCallback((own: Running): boolean => {
    const isCurrent = running.current === own;
    if (isCurrent) running.current = null;
    return isCurrent;
  }, []);
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
      return roundOf(await ask(sent, running), phases, sent);
    },
    onSuccess: (round, { phases, running }) => {
      if (!end(running)) return;
      setRounds((before) => [...before.slice(0, phases.length), round]);
      onFound(round);
    },
    onError: useFailureToast(),
  });
  const cancel = useCallback((): void => {
    reset();
    cancelRunning();
  }, [reset, cancelRunning]);
  return {
    /** Oldest first; empty before the first match. */
    rounds,
    /** Id of the running match. */
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
    clear: useCallback((): void => {
      cancel();
      setRounds([]);
    }, [cancel]),
  };
}

const ASK_EVERY_MS = 600;

/** Polls the progress of a match while there is a `matchId`. */
export const useMatchProgress = (matchId: string | null) =>
  useQuery({
    queryKey: ['xrd', 'progress', matchId],
    enabled: matchId !== null,
    retry: false,
    gcTime: 0,
    refetchInterval: ASK_EVERY_MS,
    queryFn: ({ signal }): Promise<MatchProgress> =>
      answerTo(xrdProgress, { match_id: matchId ?? '' }, { signal }),
  });
