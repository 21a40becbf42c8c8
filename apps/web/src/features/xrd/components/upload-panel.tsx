/** Choosing or dropping a pattern, or trying with a sample; and what is wrong with it. */
import { Button } from '@mantine/core';
import { FileDrop } from '../../../components/file-drop.tsx';
import { Notice, Warnings } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { xrdTexts } from '../texts.ts';
import type { MeasurementBench } from '../use-measurement.ts';
import classes from './xrd.module.css';

interface UploadPanelProps {
  readonly bench: MeasurementBench;
  /** A pattern is on its way: the line of its name is kept free. */
  readonly isAwaited: boolean;
  readonly onSample: () => void;
}

export function UploadPanel({ bench, isAwaited, onSample }: UploadPanelProps) {
  const { t } = useTexts(xrdTexts);
  const { measurement, busy, problem } = bench;
  const label = busy === 'upload' ? t('uploading') : measurement ? t('reupload') : t('upload');
  return (
    <div className={classes.upload}>
      <FileDrop
        name="xrd-file"
        label={label}
        hint={t('drop')}
        accept=".txt,.xy,.xye,.csv,.dat"
        isDisabled={busy !== null}
        fileName={measurement?.fileName ?? (isAwaited ? '…' : undefined)}
        onFiles={bench.upload}
      >
        <p className={classes.hint}>{t('uploadHint')}</p>
      </FileDrop>
      <Button
        variant="subtle"
        size="sm"
        onClick={onSample}
        loading={busy === 'sample'}
        disabled={busy !== null && busy !== 'sample'}
      >
        {t('sample')}
      </Button>
      <div role="alert">{problem !== '' && <Notice kind="problem">{problem}</Notice>}</div>
      {measurement && <Warnings warnings={measurement.warnings} />}
    </div>
  );
}
