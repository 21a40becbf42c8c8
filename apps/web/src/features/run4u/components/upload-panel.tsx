/** Choosing or dropping a file, and sending it off. */
import type { SubmissionQuota } from '@unitcell/contract';
import { Button } from '@mantine/core';
import { type DragEvent, useId, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
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
  if (!quota) return null;
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
  const { fileName, isUploading, isSubmitting, problem } = props;
  const [isOver, setIsOver] = useState(false);
  const inputId = useId();
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) props.onFiles(files);
  };
  const label = isUploading ? t('uploading') : fileName === null ? t('upload') : t('reupload');
  return (
    <div className={classes.upload}>
      {/* The label inside is the keyboard's way; dropping is the mouse's. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <input
          id={inputId}
          className="uc-visually-hidden"
          type="file"
          name="cif-file"
          accept=".cif,.vasp,.poscar,.txt,*"
          disabled={isUploading}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            // The same file may be chosen again after it was mended.
            event.currentTarget.value = '';
            if (files.length > 0) props.onFiles(files);
          }}
        />
        <label htmlFor={inputId} className={classes.choose} aria-disabled={isUploading || undefined}>
          {label}
        </label>
        <span className={classes.dropHint}>{t('drop')}</span>
        {fileName !== null && (
          <span className={classes.fileName} translate="no">
            {fileName}
          </span>
        )}
        <p className={classes.hint}>
          {t('hint')}
          <br />
          {t('limits')}
        </p>
      </div>
      <div role="alert">{problem !== '' && <p className={classes.problem}>{problem}</p>}</div>
      {props.warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
      <Button size="md" onClick={props.onSubmit} disabled={isSubmitting || isUploading} fullWidth>
        {isSubmitting ? t('submitting') : t('submit')}
      </Button>
      <QuotaLine quota={props.quota} />
    </div>
  );
}
