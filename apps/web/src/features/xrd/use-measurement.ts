/** The measurement and the steps applied to it, so that each step can be undone. */
import type { MeasurementRecord, XrdData } from '@unitcell/contract/xrd';
import { MAX_PATTERN_BYTES } from '@unitcell/contract/xrd/rules';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFailure } from '../../components/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { normalisePattern, removeBackground, uploadPattern } from './requests.ts';
import { xrdTexts } from './texts.ts';

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
): Measurement => ({ fileName, warnings, record, steps: [{ step: 'upload', data: patternOf(data) }] });

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

export type Busy = 'upload' | 'normalise' | 'background' | 'sample' | null;

export interface MeasurementState {
  readonly measurement: Measurement | null;
  readonly busy: Busy;
  /** Error of the last file or step, or an empty string. */
  readonly problem: string;
  readonly upload: (files: readonly File[]) => void;
  /** Uploads a generated file. */
  readonly uploadMade: (make: () => Promise<File>) => void;
  /** Replaces the measurement by another one without an upload. */
  readonly open: (make: () => Promise<Measurement>) => void;
  readonly normalise: () => void;
  readonly removeBackground: () => void;
  readonly undo: () => void;
}

interface Work {
  readonly kind: Exclude<Busy, null>;
  readonly step: () => Promise<Measurement>;
}

async function read(file: File): Promise<Measurement> {
  const answer = await uploadPattern(file);
  return openMeasurement(answer.file_name || file.name, answer, answer.warnings, answer.measurement ?? null);
}

const isProjectFile = ({ name }: File): boolean => /\.json$/i.test(name);

/**
 * `onChange` is called with every new pattern.
 * @param openProject the measurement of a saved refinement, whose other parts the caller takes
 */
export function useMeasurement(
  onChange: (measurement: Measurement) => void,
  openProject: (file: File) => Promise<Measurement>,
): MeasurementState {
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
    problem: slip || (work.error ? sentence(work.error) : ''),
    upload: (files) => {
      const [file] = files;
      if (!file) return;
      if (files.length > 1) setSlip(t('oneFile'));
      else if (isProjectFile(file)) start('upload', () => openProject(file));
      else if (file.size > MAX_PATTERN_BYTES)
        setSlip(t('tooLarge', { name: file.name, size: (file.size / 2 ** 20).toFixed(1) }));
      else start('upload', () => read(file));
    },
    open: (make) => start('upload', make),
    uploadMade: (make) => start('sample', async () => read(await make())),
    normalise: () => prepare('normalise', normalisePattern),
    removeBackground: () => prepare('background', removeBackground),
    undo: () => {
      if (!measurement || work.isPending) return;
      const before = undone(measurement);
      setMeasurement(before);
      setSlip('');
      work.reset();
      onChange(before);
    },
  };
}
