/** The measurement on the page: uploading it, preparing it, taking steps back. */
import { MAX_PATTERN_BYTES } from '@unitcell/contract';
import { useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { normalisePattern, removeBackground, uploadPattern } from './api/prepare-pattern.ts';
import { currentStage, type Measurement, openMeasurement, undone, withStep } from './measurement.ts';
import { xrdTexts } from './texts.ts';
import { useFailure } from './use-failure.ts';

export type Busy = 'upload' | 'normalise' | 'background' | 'sample' | null;

export interface MeasurementBench {
  readonly measurement: Measurement | null;
  readonly busy: Busy;
  /** What is wrong with the last file or step; empty when nothing is. */
  readonly problem: string;
  readonly upload: (files: readonly File[]) => Promise<void>;
  /** Uploads a file that is made on the spot. */
  readonly uploadMade: (make: () => Promise<File>) => Promise<void>;
  readonly normalise: () => Promise<void>;
  readonly removeBackground: () => Promise<void>;
  readonly undo: () => void;
}

/** `onChange` is told whenever the pattern is another one. */
export function useMeasurement(onChange: () => void): MeasurementBench {
  const { t } = useTexts(xrdTexts);
  const sentence = useFailure();
  const [measurement, setMeasurement] = useState<Measurement | null>(null);
  const [busy, setBusy] = useState<Busy>(null);
  const [problem, setProblem] = useState('');
  // State as of the last rendering would let two quick clicks through.
  const isBusy = useRef(false);

  const work = async (kind: Busy, step: () => Promise<Measurement>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setBusy(kind);
    setProblem('');
    try {
      setMeasurement(await step());
      onChange();
    } catch (error) {
      setProblem(sentence(error));
    }
    isBusy.current = false;
    setBusy(null);
  };
  const read = async (file: File): Promise<Measurement> => {
    const answer = await uploadPattern(file);
    return openMeasurement(answer.file_name || file.name, answer, answer.warnings);
  };

  return {
    measurement,
    busy,
    problem,
    upload: async (files) => {
      const [file] = files;
      if (!file) return;
      if (files.length > 1) setProblem(t('oneFile'));
      else if (file.size > MAX_PATTERN_BYTES)
        setProblem(t('tooLarge', { name: file.name, size: (file.size / 2 ** 20).toFixed(1) }));
      else await work('upload', () => read(file));
    },
    uploadMade: (make) => work('sample', async () => read(await make())),
    normalise: async () => {
      if (!measurement) return;
      const { data } = currentStage(measurement);
      await work('normalise', async () => withStep(measurement, 'normalise', await normalisePattern(data)));
    },
    removeBackground: async () => {
      if (!measurement) return;
      const { data } = currentStage(measurement);
      await work('background', async () => withStep(measurement, 'background', await removeBackground(data)));
    },
    undo: () => {
      if (!measurement || isBusy.current) return;
      setMeasurement(undone(measurement));
      setProblem('');
      onChange();
    },
  };
}
