/** Compares two to six materials side by side. The address lists them. */
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { MaterialDetail, MaterialXrd } from '@unitcell/contract/matdata';
import { fromPymatgenDict, type Structure } from '@unitcell/crystal';
import type { Data } from 'plotly.js';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { useScaleName, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import {
  comparisonParameters,
  MOST_COMPARED,
  readComparison,
} from '../../../components/materials/use-picked.ts';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { isMissing } from '../../../lib/api-client.ts';
import { idOf } from '../../../lib/format.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { BandPlot } from '../../../viz/band-plot/band-plot.tsx';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import { materialDetail, materialDetailRequest, xrdRequest } from '../material-requests.ts';
import { TWO_THETA_SHOWN } from '../sections/xrd-view-model.ts';
import { CompareTable, type CompareTableProps } from './compare-table.tsx';
import classes from './compare.module.css';
import { compareTexts } from './texts.ts';

/** Vertical distance between two patterns, in percent of the strongest line. */
const OFFSET = 110;

interface Series {
  readonly material: MaterialDetail;
  readonly pattern: MaterialXrd;
}

/** Powder patterns, stacked and each normalised to its strongest line. */
const patternsOf = (answers: readonly { readonly data: MaterialXrd | undefined }[]) =>
  answers.map(({ data }) => data);

const seriesOf = (
  materials: readonly MaterialDetail[],
  patterns: readonly (MaterialXrd | undefined)[],
): readonly Series[] =>
  materials.flatMap((material, place) => {
    const pattern = patterns[place];
    return pattern ? [{ material, pattern }] : [];
  });

function ComparedPatterns({ materials }: { readonly materials: readonly MaterialDetail[] }) {
  const answers = useQueries({
    queries: materials.map(({ struct_id: id }) => xrdRequest(String(id))),
    combine: patternsOf,
  });
  return <DrawnPatterns series={seriesOf(materials, answers)} />;
}

function DrawnPatterns({ series }: { readonly series: readonly Series[] }) {
  const { t } = useTexts(compareTexts);
  const names = series.map(({ material }) => formulaText(material.formula)).join(', ');
  const figure = (colors: ChartColors): PlotFigure => ({
    data: series.map(({ material, pattern }, place): Data => {
      const name = `${formulaText(material.formula)} (${material.struct_id})`;
      return {
        type: 'scatter',
        mode: 'lines',
        name,
        x: [...pattern.x],
        y: pattern.y.map((y) => y + (series.length - 1 - place) * OFFSET),
        line: { color: colors.series[place % colors.series.length] ?? colors.ink, width: 1.3 },
        hovertemplate: `${name}<br>2θ = %{x:.2f}°<extra></extra>`,
      };
    }),
    layout: {
      showlegend: false,
      margin: { l: 30, r: 14, t: 18, b: 48 },
      xaxis: { title: { text: t('twoTheta') }, range: [...TWO_THETA_SHOWN] },
      yaxis: {
        title: { text: t('intensity') },
        showticklabels: false,
        range: [-4, series.length * OFFSET + 8],
      },
      annotations: series.map(({ material }, place) => ({
        xref: 'paper',
        x: 0.995,
        xanchor: 'right',
        y: (series.length - 1 - place) * OFFSET + 92,
        text: `${formulaText(material.formula)} (${material.struct_id})`,
        showarrow: false,
        font: { size: 12, color: colors.series[place % colors.series.length] ?? colors.ink },
      })),
    },
  });
  if (series.length === 0) return null;
  return (
    <Plot
      figure={figure}
      height={180 + 90 * series.length}
      name={`patterns-${series.map(({ material }) => material.struct_id).join('-')}`}
      summary={t('patternSummary', { names })}
      table={() => ({
        header: ['struct_id', '2theta (deg)', 'intensity'],
        rows: series.flatMap(({ material, pattern }) =>
          pattern.x.map((x, index) => [material.struct_id, x, pattern.y[index]]),
        ),
      })}
    />
  );
}

const CrystalViewer = lazyPart(
  async () => (await import('../../../viz/crystal-viewer/crystal-viewer.tsx')).CrystalViewer,
);

export function Page() {
  const { t } = useTexts(compareTexts);
  const { state, change } = useAddressState({ read: readComparison, write: comparisonParameters });
  const { ids, scale: asked } = state;
  const answers = useQueries({
    queries: ids.map((id) => ({ ...materialDetail(String(id)), retry: false })),
  });
  const materials = answers.flatMap(({ data }) => data ?? []);
  const gone = ids.filter((_, place) => isMissing(answers[place]?.error));
  const failed = answers.find(({ error }) => error !== null && !isMissing(error));
  const changeIds = (update: (ids: readonly number[]) => readonly number[]): void =>
    change((now) => ({ ...now, ids: update(now.ids) }));
  const scale = asked ?? materials[0]?.run_type ?? '';
  return (
    <div className={`uc-page ${classes.page}`}>
      <header className={classes.header}>
        <h1>{t('title')}</h1>
        <p className={classes.lead}>{t('lead')}</p>
        <AddById isFull={ids.length >= MOST_COMPARED} onAdd={(id) => changeIds((now) => [...now, id])} />
      </header>
      {gone.map((id) => (
        <Notice key={id} kind="problem">
          {t('gone', { id })}
        </Notice>
      ))}
      {failed && <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} />}
      {ids.length < 2 && (
        <p className={classes.few}>
          {t('few')} <Link to="/matdata?filter=">{t('back')}</Link>
        </p>
      )}
      {answers.some(({ isPending }) => isPending) && (
        <output aria-label={t('loading')}>
          <Skeleton height={320} />
        </output>
      )}
      {materials.length > 0 && answers.every(({ isPending }) => !isPending) && (
        <Compared
          key={ids.join()}
          materials={materials}
          scale={scale}
          onRemove={(id) => changeIds((now) => now.filter((other) => other !== id))}
        />
      )}
    </div>
  );
}

function Compared({ materials, scale, onRemove }: CompareTableProps) {
  const { t } = useTexts(compareTexts);
  const nameOf = useScaleName();
  const withBands = materials.filter(({ elec_diagram: { band_structures: bands } }) => bands.length > 0);
  return (
    <>
      <p className={classes.scale}>{t('scale', { scale: nameOf(scale) })}</p>
      <CompareTable materials={materials} scale={scale} onRemove={onRemove} />
      <Section id="crystals" title={t('crystals')}>
        <div className={classes.grid}>
          {materials.map((material) => (
            <Crystal key={material.struct_id} material={material} scale={scale} />
          ))}
        </div>
      </Section>
      <Section id="patterns" title={t('patterns')} lead={t('patternsLead')}>
        <ComparedPatterns materials={materials} />
      </Section>
      <Section id="bands" title={t('bands')}>
        {withBands.length === 0 && <p className={classes.few}>{t('noBands')}</p>}
        <div className={classes.grid}>
          {withBands.map((material) => (
            <figure key={material.struct_id} className={classes.card}>
              <Name material={material} scale={scale} />
              <BandPlot
                bands={material.elec_diagram.band_structures[0]!}
                formula={material.formula}
                name={`${material.struct_id}-bands`}
                place={null}
                onPlace={nobodyPoints}
                height={340}
              />
            </figure>
          ))}
        </div>
      </Section>
    </>
  );
}

const nobodyPoints = (): void => undefined;

interface NameProps {
  readonly material: MaterialDetail;
  readonly scale: string;
  readonly children?: ReactNode;
}

const Name = ({ material, scale, children }: NameProps) => (
  <figcaption className={`uc-wrap ${classes.cardName}`}>
    <Link to={withScale(`/matdatades/${material.struct_id}`, scale || null)}>
      <Formula text={material.formula} />
    </Link>{' '}
    <span className={classes.id}>{material.struct_id}</span>
    {children}
  </figcaption>
);

function Crystal({ material, scale }: Pick<NameProps, 'material' | 'scale'>) {
  const structure = useMemo((): Structure => fromPymatgenDict(material.structures.conventional), [material]);
  return (
    <figure className={classes.card}>
      <Name material={material} scale={scale}>
        <CopyAsCode sent={materialDetailRequest(material.struct_id)} />
      </Name>
      <PanelBoundary waiting={<Skeleton height={320} />}>
        <CrystalViewer structure={structure} kind="conventional" formula={formulaText(material.formula)} />
      </PanelBoundary>
    </figure>
  );
}

interface AddByIdProps {
  readonly isFull: boolean;
  readonly onAdd: (id: number) => void;
}

function AddById({ isFull, onAdd }: AddByIdProps) {
  const { t } = useTexts(compareTexts);
  const [typed, setTyped] = useState('');
  const id = idOf(typed.trim());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (id === null) return;
    setTyped('');
    onAdd(id);
  };
  if (isFull) return <p className={classes.few}>{t('full')}</p>;
  return (
    <form className={`uc-row ${classes.add}`} onSubmit={submit}>
      <TextInput
        inputMode="numeric"
        aria-label={t('add')}
        placeholder={t('add')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button variant="default" type="submit" disabled={id === null}>
        {t('addButton')}
      </Button>
    </form>
  );
}
