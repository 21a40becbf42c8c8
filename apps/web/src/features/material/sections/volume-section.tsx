/** Volumetric data of a visitor's own calculation. The file stays in the browser; the viewer loads when one is opened. */
import { Button, Loader, Skeleton } from '@mantine/core';
import { MAX_VOLUME_POINTS, MAX_VOLUME_TEXT } from '@unitcell/crystal';
import { useEffect, useRef, useState } from 'react';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { FileDrop } from '../../../components/file-drop.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PanelBoundary } from '../../../components/failure.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { fileAt } from '../../../lib/api-client.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { type OpenedVolume, readVolumeFile } from '../../../viz/volume/read-volume-file.ts';
import { volumeTexts } from '../../../viz/volume/texts.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../../../viz/figure.module.css';

const title = { en: 'Volumetric Data', zh: '三维体数据' };
const PANEL_HEIGHT = 440;

const VolumePanel = lazyPart(async () => (await import('../../../viz/volume/volume-panel.tsx')).VolumePanel);

type Shown =
  | { readonly is: 'reading' | 'problem'; readonly text: string }
  | { readonly is: 'opened'; readonly opened: OpenedVolume };

function VolumeSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(volumeTexts);
  const [shown, setShown] = useState<Shown | null>(null);
  const [fileName, setFileName] = useState<string>();
  const onFailure = useFailureToast();
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  /** Opens a file and cancels the one that is still loading. @param load returns the file or fetches it */
  const open = async (name: string, load: () => File | Promise<File>): Promise<void> => {
    reading.current.abort();
    const { signal } = (reading.current = new AbortController());
    setFileName(name);
    setShown({ is: 'reading', text: t('reading') });
    try {
      const file = await load();
      if (signal.aborted) return;
      const answer = await readVolumeFile(file, t, signal);
      if (signal.aborted) return;
      setShown(
        'problem' in answer ? { is: 'problem', text: answer.problem } : { is: 'opened', opened: answer },
      );
    } catch (error) {
      if (signal.aborted) return;
      setFileName(undefined);
      setShown(null);
      onFailure(error);
    }
  };
  const openCalculated = (): void => {
    const name = `${material.struct_id}-density.cube`;
    const path = `/api/materials/${material.struct_id}/density.cube`;
    void open(name, async () => new File([await fileAt(path)], name));
  };
  return (
    <Section id="volume" title={title[language]} lead={t('lead')}>
      {material.provenance.density === true && (
        <Button variant="default" size="xs" mb="sm" onClick={openCalculated}>
          {t('openCalculated')}
        </Button>
      )}
      <FileDrop
        name="volume"
        label={t('open')}
        hint={t('hint')}
        accept=""
        isDisabled={false}
        fileName={fileName}
        onFiles={([file]) => file && void open(file.name, () => file)}
      >
        <span className="uc-fine">
          {t('limits', { megabytes: MAX_VOLUME_TEXT / 1e6, points: Math.cbrt(MAX_VOLUME_POINTS) })}
        </span>
      </FileDrop>
      {shown?.is === 'reading' && (
        <output className={`uc-line ${classes.waiting}`}>
          <Loader size="md" /> {shown.text}
        </output>
      )}
      {shown?.is === 'problem' && <Notice kind="problem">{shown.text}</Notice>}
      {shown?.is === 'opened' && (
        <PanelBoundary waiting={<Skeleton height={PANEL_HEIGHT} />}>
          <VolumePanel
            opened={shown.opened}
            formula={material.formula}
            name={`${material.struct_id}-volume`}
          />
        </PanelBoundary>
      )}
    </Section>
  );
}

export const volumeSection: MaterialSection = { id: 'volume', title, Component: VolumeSection };
