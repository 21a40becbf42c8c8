/** A material's page: headline, readings, a sticky outline and the sections that have something to show. */
import { Skeleton } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract';
import { useEffect } from 'react';
import { useLocation, useParams } from 'react-router';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { Outline } from '../../../components/outline.tsx';
import { PanelBoundary } from '../../../components/panel-boundary.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMaterialDetail } from '../api/use-material-detail.ts';
import { detailTexts } from '../detail-texts.ts';
import type { MaterialSection } from '../material-section.ts';
import classes from './material-detail.module.css';
import { MaterialHeader } from './material-header.tsx';

interface MaterialDetailViewProps {
  readonly sections: readonly MaterialSection[];
}

export function MaterialDetailView({ sections }: MaterialDetailViewProps) {
  const { t } = useTexts(detailTexts);
  const { id = '' } = useParams();
  const detail = useMaterialDetail(id);
  if (detail.isPending)
    return (
      <output className={`uc-page ${classes.page} ${classes.loading}`} aria-label={t('loading')}>
        <Skeleton height={64} width="40%" mb="lg" />
        <Skeleton height={96} mb="xl" />
        <Skeleton height={420} />
      </output>
    );
  if (detail.isError)
    return (
      <div className={`uc-page ${classes.page}`}>
        <ErrorPanel error={detail.error} onRetry={() => void detail.refetch()} />
      </div>
    );
  return <Sections key={id} material={detail.data} sections={sections} />;
}

interface SectionsProps extends MaterialDetailViewProps {
  readonly material: MaterialDetail;
}

function Sections({ material, sections }: SectionsProps) {
  const { t, language } = useTexts(detailTexts);
  const { hash } = useLocation();
  const present = sections.filter((section) => section.isPresent?.(material) ?? true);

  useEffect(() => {
    // The sections appear after the answer, too late for the browser to find the fragment by itself.
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  return (
    <div className={`uc-page ${classes.page}`}>
      <title>{`${formulaText(material.formula)} · ${material.struct_id} · Unitcell`}</title>
      <MaterialHeader material={material} />
      <div className={classes.columns}>
        <Outline
          label={t('outline')}
          entries={present.map(({ id, title }) => ({ id, title: title[language] }))}
        />
        <div className={classes.sections}>
          {present.map(({ id, Component }) => (
            <PanelBoundary key={id}>
              <Component material={material} />
            </PanelBoundary>
          ))}
        </div>
      </div>
    </div>
  );
}
