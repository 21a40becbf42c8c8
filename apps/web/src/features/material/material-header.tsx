/** The heading of a material and its key values. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { optionText } from '@unitcell/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import { ShareMenu } from '../../components/embed/share-menu.tsx';
import { useScaleName } from '../../components/energy-scale/use-scale-name.ts';
import { SourcedValue } from '../../components/provenance/sourced-value.tsx';
import { statementIn } from '../../components/provenance/statement.ts';
import { Formula } from '../../components/formula.tsx';
import { MaterialTrust } from '../../components/scale-accuracy/scale-accuracy.tsx';
import { SpaceGroup } from '../../components/space-group.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { energyText, useEnergyUnit } from '../../lib/energy-unit.ts';
import { formatNumber } from '../../lib/format.ts';
import { materialDetailRequest } from './material-requests.ts';
import { compareAddress } from '../../components/materials/use-picked.ts';
import { compareTexts } from './compare/texts.ts';
import { detailTexts } from './detail-texts.ts';
import { gapLabel, gapText, hullText, isStable, sourceOfGap } from './detail-view-model.ts';
import { sourceOf } from './sources-view-model.ts';
import classes from './material.module.css';

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
