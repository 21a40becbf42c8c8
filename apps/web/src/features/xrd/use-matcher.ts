/** Everything on the page that changes: the measurement, the settings, the matches, the hit in the chart. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useTexts } from '../../i18n/texts.ts';
import { ApiError } from '../../lib/api-client.ts';
import { notify } from '../../lib/notify.ts';
import { makeSampleFile } from './api/sample.ts';
import { useMatching } from './api/use-matching.ts';
import { useReference } from './api/use-reference.ts';
import { currentStage, patternBefore } from './measurement.ts';
import { DEFAULT_SETTINGS, type MatchSettings } from './settings.ts';
import { showChart, showResults } from './show.ts';
import { xrdTexts } from './texts.ts';
import { useFailure } from './use-failure.ts';
import { useMeasurement } from './use-measurement.ts';
import { firstWorthShowing, type Hit, lastAngle, type Phase, pictureOf } from './view-model.ts';

/** `?sample` opens the page with the sample in it. */
const SAMPLE_PARAMETER = 'sample';

/** Uploads the sample, made from a material of this site. */
function useSample(uploadMade: (make: () => Promise<File>) => Promise<void>): () => void {
  const { t } = useTexts(xrdTexts);
  const [parameters] = useSearchParams();
  const isAsked = parameters.has(SAMPLE_PARAMETER);
  const load = (): void =>
    void uploadMade(async () => {
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

export function useMatcher() {
  const sentence = useFailure();
  const matching = useMatching();
  const [settings, setSettings] = useState<MatchSettings>(DEFAULT_SETTINGS);
  const [chosen, setChosen] = useState<Hit | null>(null);
  const [problem, setProblem] = useState('');
  const [isBeforeShown, setIsBeforeShown] = useState(true);

  const { clear } = matching;
  const forget = useCallback((): void => {
    clear();
    setChosen(null);
    setProblem('');
  }, [clear]);
  const bench = useMeasurement(forget);
  const loadSample = useSample((make) => {
    // The sample is one of Cu Kα.
    setSettings((before) => ({ ...before, radiation: DEFAULT_SETTINGS.radiation }));
    return bench.uploadMade(make);
  });
  const { measurement } = bench;
  const data = measurement && currentStage(measurement).data;
  const round = matching.rounds.at(-1) ?? null;
  const reference = useReference(round, chosen, data ? lastAngle(data) : 90);

  const run = async (how: MatchSettings, phases: readonly Phase[]): Promise<void> => {
    if (!data) return;
    setProblem('');
    try {
      const found = await matching.match(data, how, phases);
      if (!found) return;
      setChosen(firstWorthShowing(found));
      requestAnimationFrame(showResults);
    } catch (error) {
      const text = sentence(error);
      setProblem(text);
      if (text !== '') notify('error', text);
    }
  };
  const content = useMemo(
    () =>
      measurement &&
      pictureOf({
        data: currentStage(measurement).data,
        before: isBeforeShown ? patternBefore(measurement) : null,
        round,
        hit: chosen,
        reference: reference.data ?? null,
      }),
    [measurement, isBeforeShown, round, chosen, reference.data],
  );
  return {
    bench,
    settings,
    changeSettings: (changes: Partial<MatchSettings>): void =>
      setSettings((before) => ({ ...before, ...changes })),
    isReady: data !== null && bench.busy === null,
    loadSample,
    isBeforeShown,
    setIsBeforeShown,
    content,
    round,
    chosen,
    choose: (hit: Hit): void => {
      setChosen(hit);
      showChart();
    },
    runningId: matching.runningId,
    problem,
    referenceProblem: reference.isError ? sentence(reference.error) : '',
    canExplainRest: reference.data !== undefined,
    match: (): void => void run(settings, []),
    explainRest: (): void => {
      // The measurement has the source it had before, whatever the form says by now.
      if (round && chosen && reference.data)
        void run({ ...settings, radiation: round.result.radiation }, [
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
