/** The material page: heading, key values and the crystal first; the sections below load afterwards. */
import { Skeleton } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { useQueries } from '@tanstack/react-query';
import { type ComponentType, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { ErrorPanel, PanelBoundary } from '../../components/failure.tsx';
import { FileOrigin } from '../../components/file-origin.tsx';
import { formulaText } from '../../components/formula.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useIdleRender } from '../../lib/use-idle-render.ts';
import { rememberVisit } from '../../lib/visits.ts';
import { isMaterialId, useMaterialDetail } from './material-requests.ts';
import { detailTexts } from './detail-texts.ts';
import type {
  MaterialSection,
  SectionAnswer,
  SectionRequest,
  SectionsBelowProps,
} from './material-section.ts';
import { entryOrigin } from './sources-view-model.ts';
import classes from './material.module.css';
import { MaterialHeader } from './material-header.tsx';

interface MaterialDetailViewProps {
  /** Sections shown beside the facts on the first screen. */
  readonly beside: readonly MaterialSection[];
  /** Requests of the sections below. */
  readonly requests: readonly SectionRequest[];
  /** The sections are half of the page's code, so they load after the first screen. */
  readonly Below: ComponentType<SectionsBelowProps>;
}

/** Number of characters of an invalid id that are repeated in the message. */
const MAX_SHOWN = 40;

export function MaterialDetailView(parts: MaterialDetailViewProps) {
  const { id = '' } = useParams();
  return isMaterialId(id) ? <Material key={id} id={id} {...parts} /> : <NoMaterial id={id} />;
}

/** Page for an id without a material, with links to search. */
function NoMaterial({ id }: { readonly id: string }) {
  const { t } = useTexts(detailTexts);
  return (
    <div className={`uc-page ${classes.page}`} role="alert">
      <h1>{t('notFoundTitle')}</h1>
      <p>{t(isMaterialId(id) ? 'notFound' : 'notANumber', { id: id.slice(0, MAX_SHOWN) })}</p>
      <Link to="/matdata">{t('toSearch')}</Link>
    </div>
  );
}

function Material({ id, ...parts }: MaterialDetailViewProps & { readonly id: string }) {
  const { t } = useTexts(detailTexts);
  const detail = useMaterialDetail(id);
  const answers = useSectionAnswers(parts.requests, id);
  // A deferred value renders the first screen as an interruptible transition.
  const material = useDeferredValue(detail.data);
  if (detail.isPending || (material === undefined && !detail.isError))
    return (
      <output className={`uc-page ${classes.page} ${classes.loading}`} aria-label={t('loading')}>
        <Skeleton height={64} width="40%" mb="lg" />
        <Skeleton height={96} mb="xl" />
        <Skeleton height={420} />
      </output>
    );
  if (detail.error instanceof ApiError && detail.error.kind === 'missing') return <NoMaterial id={id} />;
  if (detail.isError)
    return (
      <div className={`uc-page ${classes.page}`}>
        <ErrorPanel error={detail.error} onRetry={() => void detail.refetch()} />
      </div>
    );
  return <Sections material={material ?? detail.data} answers={answers} {...parts} />;
}

/** Starts the requests of the sections together with the one for the detail (spec §4.8). */
function useSectionAnswers(
  requests: readonly SectionRequest[],
  id: string,
): ReadonlyMap<string, SectionAnswer> {
  const answers = useQueries({ queries: requests.map(({ request }) => request(id)) });
  return new Map(
    requests.map(({ id: key }, index) => [
      key,
      { data: answers[index]?.data, isError: answers[index]?.isError ?? false },
    ]),
  );
}

interface SectionsProps extends Omit<MaterialDetailViewProps, 'requests'> {
  readonly material: MaterialDetail;
  readonly answers: ReadonlyMap<string, SectionAnswer>;
}

function Sections({ material, answers, beside, Below }: SectionsProps) {
  const { hash } = useLocation();
  const [isAtOnce] = useState(hash !== '');
  const isDrawn = useIdleRender();
  const origin = useMemo(() => entryOrigin(material), [material]);
  useEffect(() => rememberVisit({ structId: material.struct_id, formula: material.formula }), [material]);
  const waiting = <div className={classes.waitingBelow} aria-busy="true" />;
  return (
    <div className={`uc-page ${classes.page}`}>
      <title>{`${formulaText(material.formula)} · ${material.struct_id} · Unitcell`}</title>
      <div className={classes.first}>
        <MaterialHeader material={material} />
        <FileOrigin facts={origin}>
          {beside.map(({ id, Component }) => (
            <div key={id} className={classes.beside}>
              <Component material={material} />
            </div>
          ))}
        </FileOrigin>
      </div>
      <PanelBoundary waiting={waiting}>
        {isAtOnce || isDrawn ? (
          <Below material={material} above={beside} answers={answers} isAtOnce={isAtOnce} />
        ) : (
          waiting
        )}
      </PanelBoundary>
    </div>
  );
}
