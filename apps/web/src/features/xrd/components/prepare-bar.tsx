/** Normalize, Remove background, Undo; what was done so far; and before against after. */
import { Button, Switch } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import {
  currentStage,
  type Measurement,
  type MeasurementBench,
  patternBefore,
  type Stage,
} from '../use-measurement.ts';
import { xrdTexts } from '../texts.ts';
import classes from './xrd.module.css';

interface PrepareBarProps {
  readonly bench: MeasurementBench;
  /** A pattern is on its way: the line that tells of it is kept free. */
  readonly isAwaited: boolean;
  readonly isBeforeShown: boolean;
  readonly onShowBefore: (isShown: boolean) => void;
}

export function PrepareBar({ bench, isAwaited, isBeforeShown, onShowBefore }: PrepareBarProps) {
  const { t } = useTexts(xrdTexts);
  const { measurement, busy } = bench;
  const data = measurement && currentStage(measurement).data;
  const isIdle = measurement !== null && busy === null;
  return (
    <div className={classes.prepare}>
      <div className={classes.prepareButtons}>
        <Button
          variant="default"
          size="xs"
          disabled={!isIdle || data?.name === 'normlized'}
          loading={busy === 'normalise'}
          onClick={bench.normalise}
        >
          {t('normalise')}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={!isIdle || data?.background_removed === true}
          loading={busy === 'background'}
          onClick={bench.removeBackground}
        >
          {t('removeBackground')}
        </Button>
        <Button
          variant="subtle"
          size="xs"
          disabled={!isIdle || measurement.stages.length < 2}
          leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
          onClick={bench.undo}
        >
          {t('undo')}
        </Button>
        {measurement && patternBefore(measurement) && (
          <Switch
            size="xs"
            label={t('showBefore')}
            checked={isBeforeShown}
            onChange={(event) => onShowBefore(event.currentTarget.checked)}
          />
        )}
      </div>
      {measurement && <Steps measurement={measurement} />}
      {isAwaited && <span className={classes.steps}>…</span>}
    </div>
  );
}

/** What happened to the pattern, as a sentence that is also read out when it changes. */
function Steps({ measurement }: { readonly measurement: Measurement }) {
  const { t } = useTexts(xrdTexts);
  const words = ({ step, data }: Stage): string => {
    if (step === 'normalise') return t('stepNormalise');
    if (step === 'background') return t('stepBackground');
    const [from = 0] = data.x;
    return t('stepUpload', {
      n: formatCount(data.x.length),
      from: from.toFixed(2),
      to: (data.x.at(-1) ?? from).toFixed(2),
    });
  };
  return <output className={classes.steps}>{measurement.stages.map(words).join(' → ')}</output>;
}
