/** Choosing or dropping a file, and sending it off. */
import type { SubmissionQuota } from '@unitcell/contract/run4u';
import { Button } from '@mantine/core';
import { FileDrop } from '../../../components/file-drop.tsx';
import { Notice, Warnings } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { sampleFile } from '../sample.ts';
import { run4uServiceTexts } from '../service-texts.ts';
import { run4uTexts } from '../texts.ts';
import classes from './run4u.module.css';

interface UploadPanelProps {
  readonly fileName: string | null;
  readonly quota: SubmissionQuota | undefined;
  readonly isUploading: boolean;
  readonly isSubmitting: boolean;
  /** What is wrong with the last file; empty when nothing is. */
  readonly problem: string;
  readonly warnings: readonly string[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onSubmit: () => void;
}

function QuotaLine({ quota }: { readonly quota: SubmissionQuota | undefined }) {
  const { t, language } = useTexts(run4uTexts);
  // Its line is kept free.
  if (!quota) return <p className={classes.quota}>&nbsp;</p>;
  const time = new Date(quota.resets_at).toLocaleTimeString(language === 'zh' ? 'zh-CN' : 'en-GB', {
    hour: '2-digit',
    minute: '2-digit',
  });
  return (
    <p className={classes.quota} data-empty={quota.left === 0 || undefined}>
      {quota.left === 0
        ? t('quotaUsedUp', { limit: quota.limit, time })
        : t('quota', { left: quota.left, limit: quota.limit })}
    </p>
  );
}

export function UploadPanel(props: UploadPanelProps) {
  const { t } = useTexts(run4uTexts);
  const { t: ts } = useTexts(run4uServiceTexts);
  const { fileName, isUploading, isSubmitting, problem } = props;
  const label = isUploading ? t('uploading') : fileName === null ? t('upload') : t('reupload');
  return (
    <div className={classes.upload}>
      <FileDrop
        name="cif-file"
        label={label}
        hint={t('drop')}
        accept=".cif,.vasp,.poscar,.txt,*"
        isDisabled={isUploading}
        fileName={fileName ?? undefined}
        onFiles={props.onFiles}
      >
        <p className={classes.hint}>
          {t('hint')}
          <br />
          {t('limits')}
        </p>
      </FileDrop>
      <Button
        variant="default"
        size="xs"
        disabled={isUploading}
        onClick={() => props.onFiles([sampleFile()])}
      >
        {ts('trySample')}
      </Button>
      <div role="alert">{problem !== '' && <Notice kind="problem">{problem}</Notice>}</div>
      <Warnings warnings={props.warnings} />
      <Button size="md" onClick={props.onSubmit} disabled={isSubmitting || isUploading} fullWidth>
        {isSubmitting ? t('submitting') : t('submit')}
      </Button>
      <QuotaLine quota={props.quota} />
    </div>
  );
}
