/** Downloads the complete result as a file. */
import { downloadScreened } from '@unitcell/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { InlineFailure } from '../failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { callForFile } from '../../lib/api-client.ts';
import { downloadBlob } from '../../lib/download.ts';
import { formatCount } from '../../lib/format.ts';
import classes from '../toolbar.module.css';
import { materialsTexts } from './use-picked.ts';

const FORMATS = ['csv', 'jsonl', 'cif', 'cif.tar.gz', 'poscar.tar.gz'] as const;

interface DownloadResultProps {
  readonly total: number;
  /** Content of the file: all matches of a filter, or selected materials. */
  readonly of: { readonly filter: string } | { readonly ids: readonly number[] };
  readonly scale: string;
  /** Expressions that become extra columns. */
  readonly calculated?: readonly string[];
}

export function DownloadResult({ total, of, scale, calculated = [] }: DownloadResultProps) {
  const { t } = useTexts(materialsTexts);
  const download = useMutation({
    mutationFn: async (format: (typeof FORMATS)[number]) =>
      downloadBlob(
        `unitcell.${format}`,
        await callForFile(downloadScreened, {
          ...('ids' in of ? { ids: [...of.ids] } : of),
          scale,
          ...(calculated.length > 0 ? { calculated: [...calculated] } : {}),
          format,
        }),
      ),
  });
  if (total === 0) return null;
  return (
    <p className={`uc-row ${classes.download}`}>
      {t('download', { n: formatCount(total) })}{' '}
      {FORMATS.map((format) => (
        <button
          key={format}
          type="button"
          className={classes.format}
          disabled={download.isPending}
          onClick={() => download.mutate(format)}
        >
          {t(format)}
        </button>
      ))}
      {download.isPending && <output>{t('downloading')}</output>}
      <InlineFailure error={download.error} />
    </p>
  );
}
