/** Material Details: the three tables of spec §2.8. */
import { SegmentedControl } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { conditionFields, CONDITIONS_ABOVE_HULL, fields, optionText } from '@unitcell/material';
import { type ReactNode, useMemo } from 'react';
import { numberColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useScaleName } from '../../../components/energy-scale/energy-scale.tsx';
import { fact, type Fact, FactTable } from '../../../components/fact-table.tsx';
import type { MethodId } from '../../../components/provenance/methods.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { chooseEnergyUnit, ENERGY_UNITS, energyText, useEnergyUnit } from '../../../lib/energy-unit.ts';
import { formatNumber, formatText } from '../../../lib/format.ts';
import { detailTexts } from '../detail-texts.ts';
import {
  type AtomicPosition,
  atomicPositions,
  gapLabel,
  gapText,
  hullText,
  sourceOfGap,
} from '../detail-view-model.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { sourceOf, sourceOfField } from '../sources-view-model.ts';
import { SourcedSection } from './sourced-section.tsx';

const PAGE_SIZE = 10;
const DECIMALS = 5;

const AXES = ['x', 'y', 'z'] as const;
/** Positions of the atoms of the conventional cell, collapsed by default. */
function AtomicPositions({ material }: { readonly material: MaterialDetail }) {
  const { t } = useTexts(detailTexts);
  const rows = useMemo(() => atomicPositions(material), [material]);
  return (
    <details className={`uc-fold ${classes.positions}`}>
      <summary>{t('positions', { n: rows.length })}</summary>
      <DataTable
        label={t('positionTable')}
        rows={rows}
        rowKey={(row) => row.number}
        pageSize={PAGE_SIZE}
        csvName={`${material.struct_id}-conventional-positions`}
        columns={[
          { id: 'number', header: '#', value: (row) => row.number, isNumeric: true },
          { id: 'element', header: t('element'), value: (row) => row.content },
          { id: 'wyckoff', header: t('wyckoff'), value: (row) => row.wyckoff },
          ...AXES.map((axis) =>
            numberColumn<AtomicPosition>(axis, axis, (row) => row[axis], {
              decimals: DECIMALS,
              method: 'cell',
            }),
          ),
        ]}
      />
    </details>
  );
}

const title = { en: 'Material Details', zh: '材料详情' };

const italic = (text: string) => <i>{text}</i>;
const ofCell = (material: MaterialDetail, name: string, value: string) => (
  <SourcedValue name={name} method="cell" source={sourceOf(material, 'structure')}>
    {value}
  </SourcedValue>
);
const length = (id: 'a' | 'b' | 'c', material: MaterialDetail) =>
  fact(italic(id), ofCell(material, id, formatNumber(material.lattice[id], { decimals: 4 })), 'Å');
const angle = (id: 'alpha' | 'beta' | 'gamma', symbol: string, material: MaterialDetail) =>
  fact(italic(symbol), ofCell(material, symbol, formatNumber(material.lattice[id], { decimals: 3 })), '°');

function CellSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(detailTexts);
  const nameOf = useScaleName();
  const { energies, symmetry_data: symmetry, lattice } = material;
  const shown = useEnergyUnit();
  const whole = { scale: material.run_type, release: material.release?.id ?? null };
  const energy = (
    name: string,
    value: number | null,
    unit: string,
    method: MethodId = 'energy',
    { scale, release }: { scale: string; release: number | null } = whole,
    text = formatNumber(value, { decimals: 4 }),
  ): Fact =>
    fact(
      <>
        {name} <span className={`uc-fine ${classes.scaleName}`}>{nameOf(scale)}</span>
      </>,
      <SourcedValue
        name={t('onScale', { what: name, scale: nameOf(scale) })}
        method={method}
        source={sourceOf(material, 'energy', scale)}
        scale={scale}
        release={release}
      >
        {text}
      </SourcedValue>,
      unit,
    );
  const perAtom = (value: number): string => energyText(value, shown, 4);
  const ofScales = material.energy_scales.flatMap(
    ({
      functional: scale,
      formation_energy_per_atom: formation,
      e_above_hull: hull,
      release,
      completeness,
    }) => {
      const isMeasured = sourceOf(material, 'energy', scale)?.kinds.includes('measured') === true;
      const of = { scale, release };
      return [
        ...(formation === null
          ? []
          : [
              isMeasured
                ? energy(t('enthalpy'), formation, t(shown), 'enthalpy', of, perAtom(formation))
                : energy(t('formation'), formation, t(shown), 'formation', of, perAtom(formation)),
            ]),
        ...(hull === null
          ? []
          : [energy(t('hull'), hull, t(shown), 'hull', of, hullText(hull, completeness, shown, 4))]),
      ];
    },
  );
  const ownScale = material.energy_scales.find(({ functional }) => functional === material.run_type);
  /** Stability in air and water, on the scale of the page. */
  const conditions = conditionFields.flatMap(({ name, method, label, unit, decimals }) => {
    const value = ownScale?.[name] ?? null;
    const isUnknown =
      name === 'oxygen_potential_max' &&
      (ownScale?.e_above_hull ?? Number.POSITIVE_INFINITY) <= CONDITIONS_ABOVE_HULL &&
      !/^O\d*$/.test(material.formula);
    if (value === null) return isUnknown ? [fact(label[language], t('oxygenNotKnown'))] : [];
    const isPerAtom = unit === 'eV/atom';
    const text = isPerAtom ? energyText(value, shown, 4) : formatNumber(value, { decimals });
    return [energy(label[language], value, isPerAtom ? t(shown) : unit, method, whole, text)];
  });
  const totals = [
    { id: 'energy', value: energies.energy },
    { id: 'energyPerAtom', value: energies.energy_per_atom },
    { id: 'vdw', value: energies.energy_vdw },
    { id: 'vdwPerAtom', value: energies.energy_per_atom_vdw },
  ] as const;
  /** van der Waals energies have no energy scale, because they are not compared with other materials. */
  const withVdw = (id: 'vdw' | 'vdwPerAtom', value: number | null): Fact =>
    fact(
      t(id),
      <SourcedValue
        name={t(id)}
        method={fields.energyVdw.method}
        source={sourceOfField(material, 'energyVdw')}
      >
        {formatNumber(value, { decimals: 4 })}
      </SourcedValue>,
      'eV',
    );
  const found = (name: string, value: ReactNode) => (
    <SourcedValue name={name} method="cell" source={sourceOf(material, 'symmetry')}>
      {value}
    </SourcedValue>
  );
  // One line lists all missing values; four dashes would look like four errors.
  const missing = totals.filter(({ value }) => value === null);
  return (
    <SourcedSection material={material} of={['energy', 'symmetry']} id="details" title={title[language]}>
      <div className={classes.tables}>
        <FactTable
          title={t('unitCell')}
          facts={[
            length('a', material),
            length('b', material),
            length('c', material),
            angle('alpha', 'α', material),
            angle('beta', 'β', material),
            angle('gamma', 'γ', material),
            fact(
              t('volume'),
              ofCell(material, t('volume'), formatNumber(lattice.volume, { decimals: 2 })),
              'Å³',
            ),
          ]}
        />
        <div className={classes.stack}>
          <SegmentedControl
            size="xs"
            aria-label={t('energyUnit')}
            data={ENERGY_UNITS.map((value) => ({ value, label: t(value) }))}
            value={shown}
            onChange={chooseEnergyUnit}
          />
          <FactTable
            title={t('energies')}
            facts={[
              ...ofScales,
              ...totals
                .filter(({ value }) => value !== null)
                .map(({ id, value }) =>
                  id === 'vdw' || id === 'vdwPerAtom' ? withVdw(id, value) : energy(t(id), value, 'eV'),
                ),
              ...(missing.length === 0
                ? []
                : [fact(missing.map(({ id }) => t(id)).join(' · '), t('notGiven'))]),
            ]}
          />
          {conditions.length > 0 && <FactTable title={t('conditions')} facts={conditions} />}
          {material.band_gaps.length > 0 && (
            <FactTable
              title={t('gaps')}
              facts={material.band_gaps.map((gap) => {
                const source = sourceOfGap(material, gap);
                return fact(
                  gapLabel(gap, source, t),
                  <SourcedValue name={t('gap')} method="gap" source={source}>
                    {gapText(gap, language)}
                  </SourcedValue>,
                  gap.value === 0 ? undefined : 'eV',
                );
              })}
            />
          )}
        </div>
        <FactTable
          title={t('symmetry')}
          facts={[
            fact(t('hall'), formatText(symmetry.hall)),
            fact(
              t('spaceGroup'),
              found(
                t('spaceGroup'),
                <>
                  <SpaceGroup symbol={symmetry.space_group} /> ({symmetry.space_group_number})
                </>,
              ),
            ),
            fact(t('pointGroup'), <SpaceGroup symbol={symmetry.point_group} />),
            fact(
              t('crystalSystem'),
              formatText(optionText('crystalSystem', symmetry.crystal_system, language)),
            ),
            fact(t('latticeType'), formatText(optionText('latticeType', symmetry.lattice_type, language))),
            fact(t('symprec'), found(t('symprec'), symmetry.symprec), 'Å'),
          ]}
        />
      </div>
      <AtomicPositions material={material} />
    </SourcedSection>
  );
}

export const cellSection: MaterialSection = { id: 'details', title, Component: CellSection };
