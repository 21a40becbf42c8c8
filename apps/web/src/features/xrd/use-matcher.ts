/** State of the page: the measurement or the sample, the settings, the matches, and the hit in the chart. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getXrdHandle2, searchByFormula, xrdGet } from '@unitcell/contract/calls';
import type { MeasurementRecord, ReferencePattern, XrdData } from '@unitcell/contract/xrd';
import { MAX_PATTERN_BYTES } from '@unitcell/contract/xrd/rules';
import { type ListedLine, REFERENCE_WAVELENGTH } from '@unitcell/diffraction';
import { type SearchResult, searchResultOf } from '@unitcell/material';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { readFrom } from '../../components/from-material.tsx';
import { useFailure } from '../../components/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { answerTo, ApiError, callKey } from '../../lib/api-client.ts';
import type { Project } from './refine/project-file.ts';
import { useRefiner } from './refine/use-refiner.ts';
import { xrdTexts } from './texts.ts';
import {
  DEFAULT_SETTINGS,
  firstWorthShowing,
  type Hit,
  lastAngle,
  type MatchSettings,
  normalisePattern,
  pictureOf,
  radiationIn,
  removeBackground,
  settingsOf,
  showChart,
  showResults,
  uploadPattern,
  useMatching,
  useReference,
  wavelengthText,
} from './matching.ts';
import { type CalculatedPeak, patternText, samplePattern } from './sample-pattern.ts';

// The measurement and the steps applied to it, so that each step can be undone.

export type PatternStep = 'upload' | 'normalise' | 'background';

export interface PatternState {
  readonly step: PatternStep;
  readonly data: XrdData;
}

export interface Measurement {
  readonly fileName: string;
  /** The server's description of how the file was read. */
  readonly warnings: readonly string[];
  /** Measurement settings stored in the file; null if there are none. */
  readonly record: MeasurementRecord | null;
  /** Standard deviations of the intensities as uploaded; undefined if they are those of counts, or unknown. */
  readonly sigmas?: readonly number[] | undefined;
  /** Applied steps, oldest first; never empty. */
  readonly steps: readonly [PatternState, ...PatternState[]];
}

/** Removes fields that are not part of a pattern. */
export const patternOf = ({ x, y, name, background_removed }: XrdData): XrdData => ({
  x,
  y,
  name,
  background_removed,
});

export const openMeasurement = (
  fileName: string,
  data: XrdData,
  warnings: readonly string[],
  record: MeasurementRecord | null = null,
  sigmas?: readonly number[],
): Measurement => ({
  fileName,
  warnings,
  record,
  sigmas,
  steps: [{ step: 'upload', data: patternOf(data) }],
});

export const withStep = (measurement: Measurement, step: PatternStep, data: XrdData): Measurement => ({
  ...measurement,
  steps: [...measurement.steps, { step, data: patternOf(data) }],
});

/** Removes the last step; the upload itself stays. */
export function undone(measurement: Measurement): Measurement {
  const [first, ...rest] = measurement.steps;
  return { ...measurement, steps: [first, ...rest.slice(0, -1)] };
}

export const currentStep = ({ steps }: Measurement): PatternState => steps.at(-1) ?? steps[0];

/**
 * The pattern before the last step, for comparison. Null unless the step removed the background: other steps do not
 * change the shape.
 */
export function patternBefore({ steps }: Measurement): XrdData | null {
  const last = steps.at(-1);
  const previous = steps.at(-2);
  return last?.step === 'background' && previous ? previous.data : null;
}

interface Work {
  readonly kind: 'upload' | 'normalise' | 'background' | 'sample';
  readonly step: () => Promise<Measurement>;
}

async function readMeasurement(file: File): Promise<Measurement> {
  const answer = await uploadPattern(file);
  const { file_name, warnings, measurement = null, sigmas } = answer;
  return openMeasurement(file_name || file.name, answer, warnings, measurement, sigmas);
}

const isProjectFile = ({ name }: File): boolean => /\.json$/i.test(name);

/**
 * `onChange` is called with every new pattern.
 * @param openProject reads a saved refinement and returns its measurement; the caller keeps the other parts
 */
export function useMeasurement(
  onChange: (measurement: Measurement) => void,
  openProject: (file: File) => Promise<Measurement>,
) {
  const { t } = useTexts(xrdTexts);
  const sentence = useFailure();
  const [measurement, setMeasurement] = useState<Measurement | null>(null);
  /** Error for a file that was not uploaded. */
  const [slip, setSlip] = useState('');
  const work = useMutation({
    // Run steps in sequence, even if two clicks come faster than a render.
    scope: { id: 'xrd-measurement' },
    mutationFn: ({ step }: Work) => step(),
    onSuccess: (next) => {
      setMeasurement(next);
      onChange(next);
    },
  });
  const start = (kind: Work['kind'], step: Work['step']): void => {
    setSlip('');
    work.mutate({ kind, step });
  };
  const prepare = <Data extends XrdData>(
    step: 'normalise' | 'background',
    ask: (data: XrdData) => Promise<Data>,
  ): void => {
    if (measurement)
      start(step, async () => withStep(measurement, step, await ask(currentStep(measurement).data)));
  };
  return {
    measurement,
    busy: work.isPending ? work.variables.kind : null,
    /** Error of the last file or step, or an empty string. */
    problem: slip || (work.error ? sentence(work.error) : ''),
    upload: (files: readonly File[]): void => {
      const [file] = files;
      if (!file) return;
      if (files.length > 1) setSlip(t('oneFile'));
      else if (isProjectFile(file)) start('upload', () => openProject(file));
      else if (file.size > MAX_PATTERN_BYTES)
        setSlip(t('tooLarge', { name: file.name, size: (file.size / 2 ** 20).toFixed(1) }));
      else start('upload', () => readMeasurement(file));
    },
    /** Replaces the measurement by another one without an upload. */
    open: (make: () => Promise<Measurement>): void => start('upload', make),
    /** Uploads a generated file. */
    uploadMade: (make: () => Promise<File>): void =>
      start('sample', async () => readMeasurement(await make())),
    normalise: (): void => prepare('normalise', normalisePattern),
    removeBackground: (): void => prepare('background', removeBackground),
    undo: (): void => {
      if (!measurement || work.isPending) return;
      const before = undone(measurement);
      setMeasurement(before);
      setSlip('');
      work.reset();
      onChange(before);
    },
  };
}

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
    queryKey: callKey(xrdGet, 'example'),
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

/** `?sample` opens the page with the sample. */
const SAMPLE_PARAMETER = 'sample';

/** Uploads the sample, simulated from a material of this site. */
function useSample(uploadMade: (make: () => Promise<File>) => void, isAsked: boolean): () => void {
  const { t } = useTexts(xrdTexts);
  const load = (): void =>
    uploadMade(async () => {
      const file = await makeSampleFile();
      if (!file) throw new ApiError(200, t('noSample'));
      return file;
    });
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    if (isAsked) latest.current();
  }, [isAsked]);
  return load;
}

export type Matcher = ReturnType<typeof useMatcher>;

export function useMatcher() {
  const { t } = useTexts(xrdTexts);
  const sentence = useFailure();
  const [parameters] = useSearchParams();
  // A material in the address (`?from=`) limits the search to its elements and is the first hit shown.
  const [from] = useState(() => readFrom(parameters));
  const [settings, setSettings] = useState<MatchSettings>(() => settingsOf(parameters));
  const [chosen, setChosen] = useState<Hit | null>(null);
  const refiner = useRefiner();
  const matching = useMatching((found) => {
    const shown = found.hits.find(({ structId }) => structId === from) ?? firstWorthShowing(found);
    setChosen(shown);
    refiner.propose(found, shown);
    requestAnimationFrame(showResults);
  });
  const [isBeforeShown, setIsBeforeShown] = useState(true);

  /** The measurement record that filled the form. All steps applied to one upload share the record. */
  const filledFrom = useRef<MeasurementRecord | null>(null);
  /** True once the visitor has chosen a radiation: from then on, the radiation of a file is only offered. */
  const isChosen = useRef(false);
  /** The saved refinement that is opened, and its measurement. */
  const opened = useRef<{ readonly measurement: Measurement; readonly project: Project } | null>(null);
  const openProject = async (file: File): Promise<Measurement> => {
    const { MAX_PROJECT_BYTES, readProject } = await import('./refine/project-file.ts');
    const read =
      file.size > MAX_PROJECT_BYTES ? { kind: 'foreign' as const } : readProject(await file.text());
    if ('kind' in read) {
      const { name } = file;
      if (read.kind === 'foreign') throw new ApiError(200, t('project-foreign', { name }));
      if (read.kind === 'version')
        throw new ApiError(200, t('project-version', { name, version: read.version }));
      throw new ApiError(200, t('project-field', { name, field: read.field }));
    }
    const { fileName, data, warnings, record, sigmas } = read;
    const measurement = openMeasurement(fileName, data, warnings, record, sigmas);
    opened.current = { measurement, project: read };
    return measurement;
  };
  const forget = (measurement: Measurement): void => {
    const { record } = measurement;
    matching.clear();
    refiner.clear();
    setChosen(null);
    if (opened.current?.measurement === measurement) {
      const { project } = opened.current;
      opened.current = null;
      filledFrom.current = record;
      setSettings((before) => ({ ...before, radiation: project.radiation }));
      refiner.restore(project);
      return;
    }
    if (record === filledFrom.current) return;
    filledFrom.current = record;
    const radiation = radiationIn(record);
    if (radiation !== null && !isChosen.current) setSettings((before) => ({ ...before, radiation }));
  };
  const state = useMeasurement(forget, openProject);
  const isSampleAsked = parameters.has(SAMPLE_PARAMETER);
  const loadSample = useSample((make) => {
    // The sample is measured with Cu Kα.
    setSettings((before) => ({ ...before, radiation: DEFAULT_SETTINGS.radiation }));
    state.uploadMade(make);
  }, isSampleAsked);
  const { measurement } = state;
  const data = measurement && currentStep(measurement).data;
  const isSlitVariable = measurement?.record?.is_slit_variable === true;
  const round = matching.rounds.at(-1) ?? null;
  const reference = useReference(round, chosen, data ? lastAngle(data) : 90);

  const content = useMemo(
    () =>
      measurement &&
      pictureOf({
        data: currentStep(measurement).data,
        before: isBeforeShown ? patternBefore(measurement) : null,
        round,
        hit: chosen,
        reference: reference.data ?? null,
      }),
    [measurement, isBeforeShown, round, chosen, reference.data],
  );
  const isEmpty = measurement === null && state.problem === '';
  const isAwaited = isEmpty && (isSampleAsked || state.busy !== null);
  return {
    state,
    /** True while a pattern loads: its space is reserved, so that nothing moves. */
    isAwaited,
    /** True until the visitor tries a file. Visitors who come from a material have chosen what to look at. */
    isUnused: isEmpty && !isAwaited && from === null,
    settings,
    changeSettings: (changes: Partial<MatchSettings>): void => {
      if (changes.radiation !== undefined) isChosen.current = true;
      setSettings((before) => ({ ...before, ...changes }));
    },
    isReady: data !== null && state.busy === null,
    loadSample,
    drawLines: (lines: readonly ListedLine[]): void => {
      const { radiation } = settings;
      state.open(async () => {
        const { patternOfLines } = await import('@unitcell/diffraction');
        const drawn = patternOfLines(lines, Number(wavelengthText(radiation)));
        if (!drawn) throw new ApiError(200, t('lineListUnseen', { radiation }));
        const note = t('lineListDrawn', { n: lines.length, radiation });
        return openMeasurement(t('lineListName'), { ...drawn, name: 'normlized', background_removed: true }, [
          note,
        ]);
      });
    },
    isBeforeShown,
    setIsBeforeShown,
    content,
    round,
    chosen,
    choose: (hit: Hit): void => {
      setChosen(hit);
      showChart();
    },
    refiner,
    runningId: matching.runningId,
    problem: matching.error ? sentence(matching.error) : '',
    referenceProblem: reference.isError ? sentence(reference.error) : '',
    canExplainRest: reference.data !== undefined,
    match: (): void => {
      if (data) matching.match(data, { ...settings, isSlitVariable });
    },
    /** Uses the pattern as uploaded, because a refinement needs the counts. */
    identify: (): void => {
      if (!measurement) return;
      const { radiation, elements } = settings;
      refiner.identify({
        data: measurement.steps[0].data,
        sigmas: measurement.sigmas,
        record: measurement.record,
        radiation,
        elements,
      });
    },
    explainRest: (): void => {
      // Keeps the radiation of the last match, even if the form has changed since.
      if (data && round && chosen && reference.data)
        matching.match(data, { ...settings, isSlitVariable, radiation: round.result.radiation }, [
          ...round.phases,
          { hit: chosen, reference: reference.data },
        ]);
    },
    back: (): void => {
      const last = round?.phases.at(-1);
      matching.back();
      setChosen(last?.hit ?? null);
    },
    cancel: matching.cancel,
  };
}
