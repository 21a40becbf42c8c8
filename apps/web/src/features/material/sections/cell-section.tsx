/** Material Details: the three tables of spec §2.8. */
import { SegmentedControl } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { conditionFields, CONDITIONS_ABOVE_HULL, fields, optionText } from '@unitcell/material';
import { type ReactNode, useMemo } from 'react';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useScaleName } from '../../../components/energy-scale/use-scale-name.ts';
import { type Fact, FactTable } from '../../../components/fact-table.tsx';
import { NumberText } from '../../../components/number-text.tsx';
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

/** Positions of the atoms of the conventional cell, collapsed by default. */
const PAGE_SIZE = 10;
const DECIMALS = 5;

const AXES = ['x', 'y', 'z'] as const;
const coordinate = (axis: (typeof AXES)[number]) => ({
  id: axis,
  header: axis,
  value: (row: AtomicPosition) => row[axis],
  render: (row: AtomicPosition) => <NumberText value={row[axis]} decimals={DECIMALS} />,
  isNumeric: true,
  method: 'cell' as const,
});

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
          ...AXES.map(coordinate),
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
const length = (id: 'a' | 'b' | 'c', material: MaterialDetail) => ({
  id,
  name: italic(id),
  value: ofCell(material, id, formatNumber(material.lattice[id], { decimals: 4 })),
  unit: 'Å',
});
const angle = (id: 'alpha' | 'beta' | 'gamma', symbol: string, material: MaterialDetail) => ({
  id,
  name: italic(symbol),
  value: ofCell(material, symbol, formatNumber(material.lattice[id], { decimals: 3 })),
  unit: '°',
});

function CellSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(detailTexts);
  const nameOf = useScaleName();
  const { energies, symmetry_data: symmetry, lattice } = material;
  const shown = useEnergyUnit();
  const whole = { scale: material.run_type, release: material.release?.id ?? null };
  const energy = (
    id: string,
    name: string,
    value: number | null,
    unit: string,
    method: MethodId = 'energy',
    { scale, release }: { scale: string; release: number | null } = whole,
    text = formatNumber(value, { decimals: 4 }),
  ): Fact => ({
    id: `${id} ${scale}`,
    name: (
      <>
        {name} <span className={`uc-fine ${classes.scaleName}`}>{nameOf(scale)}</span>
      </>
    ),
    value: (
      <SourcedValue
        name={t('onScale', { what: name, scale: nameOf(scale) })}
        method={method}
        source={sourceOf(material, 'energy', scale)}
        scale={scale}
        release={release}
      >
        {text}
      </SourcedValue>
    ),
    unit,
  });
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
                ? energy('formation', t('enthalpy'), formation, t(shown), 'enthalpy', of, perAtom(formation))
                : energy(
                    'formation',
                    t('formation'),
                    formation,
                    t(shown),
                    'formation',
                    of,
                    perAtom(formation),
                  ),
            ]),
        ...(hull === null
          ? []
          : [energy('hull', t('hull'), hull, t(shown), 'hull', of, hullText(hull, completeness, shown, 4))]),
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
    if (value === null)
      return isUnknown ? [{ id: name, name: label[language], value: t('oxygenNotKnown') }] : [];
    const isPerAtom = unit === 'eV/atom';
    const text = isPerAtom ? energyText(value, shown, 4) : formatNumber(value, { decimals });
    return [energy(name, label[language], value, isPerAtom ? t(shown) : unit, method, whole, text)];
  });
  const totals = [
    { id: 'energy', value: energies.energy },
    { id: 'energyPerAtom', value: energies.energy_per_atom },
    { id: 'vdw', value: energies.energy_vdw },
    { id: 'vdwPerAtom', value: energies.energy_per_atom_vdw },
  ] as const;
  /** van der Waals energies have no energy scale, because they are not compared with other materials. */
  const withVdw = (id: 'vdw' | 'vdwPerAtom', value: number | null): Fact => ({
    id,
    name: t(id),
    value: (
      <SourcedValue
        name={t(id)}
        method={fields.energyVdw.method}
        source={sourceOfField(material, 'energyVdw')}
      >
        {formatNumber(value, { decimals: 4 })}
      </SourcedValue>
    ),
    unit: 'eV',
  });
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
          title={`${t('unitCell')} (${t('conventional')})`}
          facts={[
            length('a', material),
            length('b', material),
            length('c', material),
            angle('alpha', 'α', material),
            angle('beta', 'β', material),
            angle('gamma', 'γ', material),
            {
              id: 'volume',
              name: t('volume'),
              value: ofCell(material, t('volume'), formatNumber(lattice.volume, { decimals: 2 })),
              unit: 'Å³',
            },
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
                  id === 'vdw' || id === 'vdwPerAtom' ? withVdw(id, value) : energy(id, t(id), value, 'eV'),
                ),
              ...(missing.length === 0
                ? []
                : [
                    {
                      id: 'missing',
                      name: missing.map(({ id }) => t(id)).join(language === 'zh' ? '、' : ', '),
                      value: t('notGiven'),
                    },
                  ]),
            ]}
          />
          {conditions.length > 0 && <FactTable title={t('conditions')} facts={conditions} />}
          {material.band_gaps.length > 0 && (
            <FactTable
              title={t('gaps')}
              facts={material.band_gaps.map((gap) => {
                const source = sourceOfGap(material, gap);
                return {
                  id: `${gap.of} ${gap.functional}`,
                  name: gapLabel(gap, source, t),
                  value: (
                    <SourcedValue name={t('gap')} method="gap" source={source}>
                      {gapText(gap, language)}
                    </SourcedValue>
                  ),
                  ...(gap.value === 0 ? {} : { unit: 'eV' }),
                };
              })}
            />
          )}
        </div>
        <FactTable
          title={t('symmetry')}
          facts={[
            { id: 'hall', name: t('hall'), value: formatText(symmetry.hall) },
            {
              id: 'space-group',
              name: t('spaceGroup'),
              value: found(
                t('spaceGroup'),
                <>
                  <SpaceGroup symbol={symmetry.space_group} /> ({symmetry.space_group_number})
                </>,
              ),
            },
            { id: 'point-group', name: t('pointGroup'), value: <SpaceGroup symbol={symmetry.point_group} /> },
            {
              id: 'crystal-system',
              name: t('crystalSystem'),
              value: formatText(optionText('crystalSystem', symmetry.crystal_system, language)),
            },
            {
              id: 'lattice-type',
              name: t('latticeType'),
              value: formatText(optionText('latticeType', symmetry.lattice_type, language)),
            },
            { id: 'symprec', name: t('symprec'), value: found(t('symprec'), symmetry.symprec), unit: 'Å' },
          ]}
        />
      </div>
      <AtomicPositions material={material} />
    </SourcedSection>
  );
}

export const cellSection: MaterialSection = { id: 'details', title, Component: CellSection };
