/** The coatings page: a finder of coatings between two phases, and a matrix of reactions. The address holds the submitted input. */
import { useQuery } from '@tanstack/react-query';
import type { CoatingSearch } from '@unitcell/contract/coatings';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/scale-origin.tsx';
import { Examples } from '../../../components/examples.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import page from '../../../components/panel.module.css';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery } from '../../../lib/api-client.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { badNumbers, readCoatings, searchRequest, writeCoatings } from '../coatings-address.ts';
import { coatingTexts } from '../texts.ts';
import { CoatingForm } from './coating-form.tsx';

const CoatingResults = lazyPart(async () => (await import('./coating-results.tsx')).CoatingResults);
const MatrixPart = lazyPart(async () => (await import('./matrix-part.tsx')).MatrixPart);

const EXAMPLES = [
  {
    name: 'LiCoO2 | Li3PS4',
    to: '/coatings?a=LiCoO2&b=Li3PS4&with=Li,O&without=Co&vmin=2&vmax=3&gap=3&ehull=0.03&observed=1',
  },
  { name: 'Li | Li6PS5Cl', to: '/coatings?a=Li&b=Li6PS5Cl&gap=2&ehull=0.01' },
];
const MATRIX_EXAMPLES = [
  {
    name: 'LiCoO2 LiFePO4 Li3PS4 Li6PS5Cl LiNbO3 Li3PO4 Li2ZrO3',
    to: '/coatings?mode=matrix&m=LiCoO2,LiFePO4,Li3PS4,Li6PS5Cl,LiNbO3,Li3PO4,Li2ZrO3',
  },
];

export function Page() {
  const { t } = useTexts(coatingTexts);
  const { state: query, change } = useAddressState({ read: readCoatings, write: writeCoatings });
  const isAsked = query.mode === 'find' && query.a !== '' && query.b !== '' && badNumbers(query).length === 0;
  const found = useQuery({
    ...apiQuery(searchRequest(query)),
    enabled: isAsked,
    retry: false,
    placeholderData: (previous: CoatingSearch | undefined) => (isAsked ? previous : undefined),
  });
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="coatings" />
      <div className={`uc-row uc-fields ${page.choices}`}>
        <ToolbarButtons
          label={t('modes')}
          buttons={(['find', 'matrix'] as const).map((mode) => ({
            id: mode,
            label: t(mode),
            isOn: query.mode === mode,
            onClick: () => change((now) => ({ ...now, mode })),
          }))}
        />
        <EnergyScaleSelect scale={query.scale} onChange={(scale) => change((now) => ({ ...now, scale }))} />
      </div>
      {query.mode === 'matrix' ? (
        <PanelBoundary waiting={<Waiting>{t('matrixLoading')}</Waiting>}>
          <MatrixPart query={query} change={change} examples={MATRIX_EXAMPLES} />
        </PanelBoundary>
      ) : (
        <>
          <CoatingForm
            query={query}
            isBusy={isAsked && found.isFetching}
            onSearch={(next) => {
              if (writeCoatings(next).toString() === writeCoatings(query).toString()) void found.refetch();
              else change(() => next);
            }}
          />
          {!isAsked && <Examples examples={EXAMPLES} />}
          <section className={page.results} aria-label={t('results')} aria-live="polite">
            {!isAsked && <Idle>{t('idle')}</Idle>}
            {isAsked && found.isPending && <Waiting>{t('loading')}</Waiting>}
            {found.isError && !found.isFetching && (
              <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
            )}
            {isAsked && found.data && !found.isError && (
              <ScaleOrigin scale={found.data}>
                <PanelBoundary waiting={<Waiting>{t('loading')}</Waiting>}>
                  <CoatingResults
                    result={found.data}
                    scale={query.scale}
                    sent={searchRequest(query)}
                    isStale={found.isPlaceholderData}
                  />
                </PanelBoundary>
              </ScaleOrigin>
            )}
          </section>
        </>
      )}
    </div>
  );
}
