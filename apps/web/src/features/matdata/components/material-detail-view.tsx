/** A material's page: headline, readings, a sticky outline and the sections that have something to show. */
import { Skeleton } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { FileOrigin } from '../../../components/file-origin.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { Outline } from '../../../components/outline.tsx';
import { PanelBoundary } from '../../../components/panel-boundary.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { useIdleTurn } from '../../../lib/use-idle-turn.ts';
import { useMaterialDetail } from '../api/use-material-detail.ts';
import { detailTexts } from '../detail-texts.ts';
import type { MaterialSection, SectionAnswer } from '../material-section.ts';
import { entryOrigin } from '../sources-view-model.ts';
import classes from './material-detail.module.css';
import { MaterialHeader } from './material-header.tsx';

interface MaterialDetailViewProps {
  readonly sections: readonly MaterialSection[];
}

const IS_NUMBER = /^\d{1,10}$/;
/** Characters of a mistyped address worth repeating. */
const MOST_SHOWN = 40;

export function MaterialDetailView({ sections }: MaterialDetailViewProps) {
  const { id = '' } = useParams();
  return IS_NUMBER.test(id) ? <Material key={id} id={id} sections={sections} /> : <NoMaterial id={id} />;
}

/** An address no material has: says so, and leads on. */
function NoMaterial({ id }: { readonly id: string }) {
  const { t } = useTexts(detailTexts);
  return (
    <div className={`uc-page ${classes.page}`} role="alert">
      <h1 className={classes.missing}>{t('notFoundTitle')}</h1>
      <p>{t(IS_NUMBER.test(id) ? 'notFound' : 'notANumber', { id: id.slice(0, MOST_SHOWN) })}</p>
      <Link to="/matdata">{t('toSearch')}</Link>
    </div>
  );
}

function Material({ id, sections }: MaterialDetailViewProps & { readonly id: string }) {
  const { t } = useTexts(detailTexts);
  const detail = useMaterialDetail(id);
  const answers = useSectionAnswers(sections, id);
  // The first screen is drawn in slices: a deferred value is drawn as a transition.
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
  return <Sections material={material ?? detail.data} sections={sections} answers={answers} />;
}

/** The sections' own requests, sent beside the one for the detail (spec §4.8). */
function useSectionAnswers(
  sections: readonly MaterialSection[],
  id: string,
): ReadonlyMap<string, SectionAnswer> {
  const asking = sections.flatMap(({ id: key, request }) => (request ? [{ key, options: request(id) }] : []));
  const answers = useQueries({ queries: asking.map(({ options }) => options) });
  return new Map(
    asking.map(({ key }, index) => [
      key,
      { data: answers[index]?.data, isError: answers[index]?.isError ?? false },
    ]),
  );
}

interface InTurnProps {
  readonly id: string;
  readonly isAtOnce: boolean;
  readonly children: ReactNode;
}

/** A page has a dozen and more of them. */
const LONGEST_TURN_MS = 100;

/** Below the first screen: drawn one after the other, so that no finger waits for all of them. */
function InTurn({ id, isAtOnce, children }: InTurnProps) {
  const hasTurn = useIdleTurn(LONGEST_TURN_MS);
  return isAtOnce || hasTurn ? children : <div id={id} className={classes.waiting} aria-busy="true" />;
}

interface SectionsProps extends MaterialDetailViewProps {
  readonly material: MaterialDetail;
  readonly answers: ReadonlyMap<string, SectionAnswer>;
}

function Sections({ material, sections, answers }: SectionsProps) {
  const { t, language } = useTexts(detailTexts);
  const { hash } = useLocation();
  // Who comes for a section is not made to wait for those above it.
  const [isAtOnce] = useState(hash !== '');
  const present = sections.filter(
    (section) => section.isPresent?.(material, answers.get(section.id)) ?? true,
  );
  const [beside, below] = [
    present.filter(({ isBesideFacts }) => isBesideFacts),
    present.filter(({ isBesideFacts }) => !isBesideFacts),
  ];

  const origin = useMemo(() => entryOrigin(material), [material]);

  useEffect(() => {
    // The sections appear after the answer, too late for the browser to find the fragment by itself.
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
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
      <div className={classes.columns}>
        <Outline
          label={t('outline')}
          entries={present.map(({ id, title }) => ({ id, title: title[language] }))}
        />
        <div className={classes.sections}>
          <FileOrigin facts={origin}>
            {below.map(({ id, Component }) => (
              <InTurn key={id} id={id} isAtOnce={isAtOnce}>
                <PanelBoundary>
                  <Component material={material} />
                </PanelBoundary>
              </InTurn>
            ))}
          </FileOrigin>
        </div>
      </div>
    </div>
  );
}
