/** The measurement on the page: uploading it, preparing it, taking steps back. */
import { MAX_PATTERN_BYTES, type XrdData } from '@unitcell/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFailure } from '../../components/failure.ts';
import { useTexts } from '../../i18n/texts.ts';
import { normalisePattern, removeBackground, uploadPattern } from './api/prepare-pattern.ts';
import { currentStage, type Measurement, openMeasurement, undone, withStep } from './measurement.ts';
import { xrdTexts } from './texts.ts';

export type Busy = 'upload' | 'normalise' | 'background' | 'sample' | null;

export interface MeasurementBench {
  readonly measurement: Measurement | null;
  readonly busy: Busy;
  /** What is wrong with the last file or step; empty when nothing is. */
  readonly problem: string;
  readonly upload: (files: readonly File[]) => void;
  /** Uploads a file that is made on the spot. */
  readonly uploadMade: (make: () => Promise<File>) => void;
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
  return openMeasurement(answer.file_name || file.name, answer, answer.warnings);
}

/** `onChange` is told whenever the pattern is another one. */
export function useMeasurement(onChange: () => void): MeasurementBench {
  const { t } = useTexts(xrdTexts);
  const sentence = useFailure();
  const [measurement, setMeasurement] = useState<Measurement | null>(null);
  /** What is wrong with a file that was not sent. */
  const [slip, setSlip] = useState('');
  const work = useMutation({
    // One step after the other, also when two clicks come faster than the page is drawn.
    scope: { id: 'xrd-measurement' },
    mutationFn: ({ step }: Work) => step(),
    onSuccess: (next) => {
      setMeasurement(next);
      onChange();
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
      start(step, async () => withStep(measurement, step, await ask(currentStage(measurement).data)));
  };
  return {
    measurement,
    busy: work.isPending ? work.variables.kind : null,
    problem: slip || (work.error ? sentence(work.error) : ''),
    upload: (files) => {
      const [file] = files;
      if (!file) return;
      if (files.length > 1) setSlip(t('oneFile'));
      else if (file.size > MAX_PATTERN_BYTES)
        setSlip(t('tooLarge', { name: file.name, size: (file.size / 2 ** 20).toFixed(1) }));
      else start('upload', () => read(file));
    },
    uploadMade: (make) => start('sample', async () => read(await make())),
    normalise: () => prepare('normalise', normalisePattern),
    removeBackground: () => prepare('background', removeBackground),
    undo: () => {
      if (!measurement || work.isPending) return;
      setMeasurement(undone(measurement));
      setSlip('');
      work.reset();
      onChange();
    },
  };
}
