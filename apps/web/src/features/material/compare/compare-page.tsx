/** Two to six materials side by side. The address says which. */
import { Skeleton } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { fromPymatgenDict, type Structure } from '@unitcell/crystal';
import { useQueries } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, Suspense, useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { readScale } from '../../../components/energy-scale/scale-parameter.ts';
import { useScaleName } from '../../../components/energy-scale/use-scale-name.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { PanelBoundary } from '../../../components/panel-boundary.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { BandPlot } from '../../../viz/band-plot/band-plot.tsx';
import { materialDetail, materialDetailRequest } from '../material-requests.ts';
import {
  compareAddress,
  MOST_COMPARED,
  readCompared,
} from '../../../components/materials/compare-address.ts';
import { CompareTable } from './compare-table.tsx';
import classes from './compare.module.css';
import { ComparedPatterns } from './compared-patterns.tsx';
import { compareTexts } from './texts.ts';

const CrystalViewer = lazyPart(
  async () => (await import('../../../viz/crystal-viewer/crystal-viewer.tsx')).CrystalViewer,
);

const isGone = (error: unknown): boolean => error instanceof ApiError && error.kind === 'missing';

export function Page() {
  const { t } = useTexts(compareTexts);
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const ids = readCompared(parameters);
  const asked = readScale(parameters);
  const answers = useQueries({
    queries: ids.map((id) => ({ ...materialDetail(String(id)), retry: false })),
  });
  const materials = answers.flatMap(({ data }) => data ?? []);
  const gone = ids.filter((_, place) => isGone(answers[place]?.error));
  const failed = answers.find(({ error }) => error !== null && !isGone(error));
  const go = (next: readonly number[]): void => void navigate(compareAddress(next, asked));
  const scale = asked ?? materials[0]?.run_type ?? '';
  return (
    <div className={`uc-page ${classes.page}`}>
      <header className={classes.header}>
        <h1>{t('title')}</h1>
        <p className={classes.lead}>{t('lead')}</p>
        <AddById isFull={ids.length >= MOST_COMPARED} onAdd={(id) => go([...ids, id])} />
      </header>
      {gone.map((id) => (
        <p key={id} role="alert">
          {t('gone', { id })}
        </p>
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
          onRemove={(id) => go(ids.filter((other) => other !== id))}
        />
      )}
    </div>
  );
}

interface ComparedProps {
  readonly materials: readonly MaterialDetail[];
  readonly scale: string;
  readonly onRemove: (id: number) => void;
}

function Compared({ materials, scale, onRemove }: ComparedProps) {
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
            <Crystal key={material.struct_id} material={material} />
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
              <Name material={material} />
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
  readonly children?: ReactNode;
}

const Name = ({ material, children }: NameProps) => (
  <figcaption className={classes.cardName}>
    <Link to={`/matdatades/${material.struct_id}`}>
      <Formula text={material.formula} />
    </Link>{' '}
    <span className={classes.id}>{material.struct_id}</span>
    {children}
  </figcaption>
);

function Crystal({ material }: { readonly material: MaterialDetail }) {
  const structure = useMemo((): Structure => fromPymatgenDict(material.structures.conventional), [material]);
  return (
    <figure className={classes.card}>
      <Name material={material}>
        <CopyAsCode sent={materialDetailRequest(material.struct_id)} />
      </Name>
      <PanelBoundary>
        <Suspense fallback={<Skeleton height={320} />}>
          <CrystalViewer structure={structure} kind="conventional" formula={formulaText(material.formula)} />
        </Suspense>
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
  const id = /^\d{1,10}$/.test(typed.trim()) ? Number(typed.trim()) : null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (id === null) return;
    setTyped('');
    onAdd(id);
  };
  if (isFull) return <p className={classes.few}>{t('full')}</p>;
  return (
    <form className={classes.add} onSubmit={submit}>
      <input
        inputMode="numeric"
        aria-label={t('add')}
        placeholder={t('add')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" className={classes.button} disabled={id === null}>
        {t('addButton')}
      </button>
    </form>
  );
}
