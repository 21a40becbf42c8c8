/** The XRD matcher (spec §2.14). */
import { useMemo, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { makeSampleFile } from '../api/sample.ts';
import { currentStage, patternBefore } from '../measurement.ts';
import { xrdTexts } from '../texts.ts';
import { useMeasurement } from '../use-measurement.ts';
import { ChartPanel } from './chart-panel.tsx';
import { PrepareBar } from './prepare-bar.tsx';
import { UploadPanel } from './upload-panel.tsx';
import classes from './xrd.module.css';

export function XrdPage() {
  const { t } = useTexts(xrdTexts);
  const bench = useMeasurement(() => undefined);
  const [isBeforeShown, setIsBeforeShown] = useState(true);
  const { measurement } = bench;
  const content = useMemo(
    () =>
      measurement && {
        measured: currentStage(measurement).data,
        before: isBeforeShown ? patternBefore(measurement) : null,
        reference: null,
        explained: [],
        unexplained: [],
        isRest: false,
      },
    [measurement, isBeforeShown],
  );
  const loadSample = (): Promise<void> =>
    bench.uploadMade(async () => {
      const file = await makeSampleFile();
      if (!file) throw new ApiError(200, t('noSample'));
      return file;
    });
  return (
    <div className="uc-page">
      <header className={classes.header}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>{t('lead')}</p>
      </header>
      <div className={classes.bench}>
        <UploadPanel bench={bench} onSample={() => void loadSample()} />
        <section className={classes.chart} aria-label={t('chart')}>
          <PrepareBar bench={bench} isBeforeShown={isBeforeShown} onShowBefore={setIsBeforeShown} />
          <ChartPanel content={content} name="xrd" />
        </section>
      </div>
    </div>
  );
}
