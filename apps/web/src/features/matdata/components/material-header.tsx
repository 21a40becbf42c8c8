/** The headline of a material and its principal readings. */
import type { MaterialDetail } from '@unitcell/contract';
import { optionText } from '@unitcell/material';
import type { ReactNode } from 'react';
import { CompletenessNote } from '../../../components/completeness/completeness-note.tsx';
import { Formula } from '../../../components/formula.tsx';
import { MaterialTrust } from '../../../components/scale-trust/material-trust.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { detailTexts } from '../detail-texts.ts';
import { isStable } from '../detail-view-model.ts';
import classes from './material-detail.module.css';

interface ReadingProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly unit?: string;
  readonly badge?: string | null;
}

const Reading = ({ name, value, unit, badge }: ReadingProps) => (
  <div className={classes.reading}>
    <dt className="uc-caption">{name}</dt>
    <dd className={classes.readingValue}>
      {value}
      {unit && value !== '-' && <span className={classes.unit}> {unit}</span>}
      {badge && <span className={classes.badge}>{badge}</span>}
    </dd>
  </div>
);

export function MaterialHeader({ material }: { readonly material: MaterialDetail }) {
  const { t, language } = useTexts(detailTexts);
  const { energies, symmetry_data: symmetry } = material;
  const name = material.names[language] ?? material.names.en;
  return (
    <header className={classes.header}>
      <p className={classes.identity}>
        <span className="uc-caption">{t('structId')}</span> {material.struct_id}
        {name && <span className={classes.name}>{name}</span>}
      </p>
      <h1 className={classes.formula}>
        <Formula text={material.formula} />
      </h1>
      <p className={classes.group}>
        <SpaceGroup symbol={symmetry.space_group} /> ({symmetry.space_group_number}),{' '}
        {optionText('crystalSystem', symmetry.crystal_system, language)}
      </p>
      <dl className={classes.readings}>
        <Reading
          name={t('hull')}
          value={formatNumber(energies.e_above_hull)}
          unit={t('perAtom')}
          badge={isStable(material) ? t('stable') : null}
        />
        <Reading
          name={t('formation')}
          value={formatNumber(energies.formation_energy_per_atom)}
          unit={t('perAtom')}
        />
        {material.band_gap === 0 ? (
          <Reading name={t('gap')} value={optionText('bandGapType', 'metal', language)} />
        ) : (
          <Reading name={t('gap')} value={formatNumber(material.band_gap)} unit="eV" />
        )}
        <Reading name={t('density')} value={formatNumber(material.density, { decimals: 2 })} unit="g/cm³" />
        <Reading name={t('atoms')} value={material.nsites} unit={`(${t('primitive')})`} />
      </dl>
      <CompletenessNote
        completeness={
          material.energy_scales.find(({ functional }) => functional === material.run_type)?.completeness
        }
        of="hull"
      />
      <MaterialTrust material={material} />
    </header>
  );
}
