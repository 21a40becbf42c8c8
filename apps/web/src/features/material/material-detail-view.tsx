/** The material page: heading, key values and the crystal first; the sections below load afterwards. */
import { Skeleton } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { useQueries } from '@tanstack/react-query';
import { type ComponentType, useDeferredValue, useEffect, useMemo, useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { ErrorPanel, PanelBoundary } from '../../components/failure.tsx';
import { FileOrigin } from '../../components/file-origin.tsx';
import { formulaText, Formula } from '../../components/formula.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { isMissing } from '../../lib/api-client.ts';
import { useIdleRender } from '../../lib/use-idle-render.ts';
import { rememberVisit } from '../../lib/visits.ts';
import { isMaterialId, useMaterialDetail, materialDetailRequest } from './material-requests.ts';
import { detailTexts } from './detail-texts.ts';
import type {
  MaterialSection,
  SectionAnswer,
  SectionRequest,
  SectionsBelowProps,
} from './material-section.ts';
import { entryOrigin, sourceOf } from './sources-view-model.ts';
import classes from './material.module.css';
import { optionText } from '@unitcell/material';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import { ShareMenu } from '../../components/embed/share-menu.tsx';
import { useScaleName } from '../../components/energy-scale/energy-scale.tsx';
import { SourcedValue } from '../../components/provenance/sourced-value.tsx';
import { statementIn } from '../../components/provenance/statement.ts';
import { MaterialTrust } from '../../components/scale-accuracy/scale-accuracy.tsx';
import { SpaceGroup } from '../../components/space-group.tsx';
import { energyText, useEnergyUnit } from '../../lib/energy-unit.ts';
import { formatNumber } from '../../lib/format.ts';
import { compareAddress } from '../../components/materials/use-picked.ts';
import { compareTexts } from './compare/texts.ts';
import { gapLabel, gapText, hullText, isStable, sourceOfGap } from './detail-view-model.ts';

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
  if (isMissing(detail.error)) return <NoMaterial id={id} />;
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

// ── The heading of a material and its key values ──

interface ReadingProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly unit?: string;
  readonly badge?: string | null;
  /** Scale or functional that distinguishes several values. */
  readonly note?: string;
}

const Reading = ({ name, value, unit, badge, note }: ReadingProps) => (
  <div className={classes.reading}>
    <dt className="uc-caption">{name}</dt>
    <dd className={classes.readingValue}>
      {value}
      {unit && value !== '-' && <span className={classes.unit}> {unit}</span>}
      {badge && <span className={classes.badge}>{badge}</span>}
      {note && <span className={classes.readingNote}>{note}</span>}
    </dd>
  </div>
);

export function MaterialHeader({ material }: { readonly material: MaterialDetail }) {
  const { t, language } = useTexts(detailTexts);
  const { t: tc } = useTexts(compareTexts);
  const nameOf = useScaleName();
  const unit = useEnergyUnit();
  const { energies, symmetry_data: symmetry, run_type: scale, observed } = material;
  const energy = sourceOf(material, 'energy', scale);
  const structure = sourceOf(material, 'structure');
  const [gap] = material.band_gaps;
  const release = material.release?.id ?? null;
  const { completeness } = material.energy_scales.find(({ functional }) => functional === scale) ?? {};
  const name = material.names[language] ?? material.names.en;
  return (
    <header className={classes.header}>
      <p className="uc-note">
        <span className="uc-caption">{t('structId')}</span> {material.struct_id}
        {name && <span className={classes.name}>{name}</span>}
      </p>
      <h1 className={classes.formula}>
        <Formula text={material.formula} />
      </h1>
      <p className={classes.group}>
        <SpaceGroup symbol={symmetry.space_group} /> ({symmetry.space_group_number}),{' '}
        {optionText('crystalSystem', symmetry.crystal_system, language)}
        {observed.status !== '' && (
          <span
            className={classes.observed}
            data-status={observed.status}
            title={statementIn(observed.evidence, language)}
          >
            {t(observed.status === 'observed' ? 'observed' : 'computedOnly')}
          </span>
        )}
      </p>
      <dl className={classes.readings}>
        <Reading
          name={t('hull')}
          value={
            <SourcedValue name={t('hull')} method="hull" source={energy} scale={scale} release={release}>
              {hullText(energies.e_above_hull, completeness, unit)}
            </SourcedValue>
          }
          unit={energies.e_above_hull === null ? '' : t(unit)}
          badge={isStable(material) ? t('stable') : null}
          note={nameOf(scale)}
        />
        <Reading
          name={t('formation')}
          value={
            <SourcedValue
              name={t('formation')}
              method="formation"
              source={energy}
              scale={scale}
              release={release}
            >
              {energyText(energies.formation_energy_per_atom, unit)}
            </SourcedValue>
          }
          unit={energies.formation_energy_per_atom === null ? '' : t(unit)}
          note={nameOf(scale)}
        />
        {gap === undefined ? (
          <Reading name={t('gap')} value="-" />
        ) : (
          <Reading
            name={t('gap')}
            value={
              <SourcedValue name={t('gap')} method="gap" source={sourceOfGap(material, gap)}>
                {gapText(gap, language)}
              </SourcedValue>
            }
            unit={gap.value === 0 ? '' : 'eV'}
            note={gapLabel(gap, sourceOfGap(material, gap), t)}
          />
        )}
        <Reading
          name={t('density')}
          value={
            <SourcedValue name={t('density')} method="density" source={structure}>
              {formatNumber(material.density, { decimals: 2 })}
            </SourcedValue>
          }
          unit="g/cm³"
        />
        <Reading
          name={t('atoms')}
          value={
            <SourcedValue name={t('atoms')} method="cell" source={structure}>
              {material.nsites}
            </SourcedValue>
          }
          unit={`(${t('primitive')})`}
        />
      </dl>
      <div className={classes.trust}>
        <MaterialTrust material={material} />
        <div className={`uc-row ${classes.actions}`}>
          <Link className="uc-button" to={compareAddress([material.struct_id])}>
            {tc('compareThis')}
          </Link>
          <CopyAsCode sent={materialDetailRequest(material.struct_id)} />
          <ShareMenu kind="material" of={String(material.struct_id)} title={material.formula} />
        </div>
      </div>
    </header>
  );
}
