/** Material Details: the three tables of spec §2.8. */
import type { MaterialDetail } from '@unitcell/contract';
import { optionText } from '@unitcell/material';
import { FactTable } from '../../../components/fact-table.tsx';
import { Section } from '../../../components/section.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber, formatText } from '../../../lib/format.ts';
import { AtomicPositions } from '../components/atomic-positions.tsx';
import classes from '../components/material-detail.module.css';
import { detailTexts } from '../detail-texts.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';

const title = { en: 'Material Details', zh: '材料详情' };

const italic = (text: string) => <i>{text}</i>;
const length = (id: 'a' | 'b' | 'c', { lattice }: MaterialDetail) => ({
  id,
  name: italic(id),
  value: formatNumber(lattice[id], { decimals: 4 }),
  unit: 'Å',
});
const angle = (id: 'alpha' | 'beta' | 'gamma', symbol: string, { lattice }: MaterialDetail) => ({
  id,
  name: italic(symbol),
  value: formatNumber(lattice[id], { decimals: 3 }),
  unit: '°',
});

function CellSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(detailTexts);
  const { energies, symmetry_data: symmetry, lattice } = material;
  const energy = (id: string, name: string, value: number | null, unit: string) => ({
    id,
    name,
    value: formatNumber(value, { decimals: 4 }),
    unit,
  });
  const totals = [
    { id: 'energy', value: energies.energy },
    { id: 'energyPerAtom', value: energies.energy_per_atom },
    { id: 'vdw', value: energies.energy_vdw },
    { id: 'vdwPerAtom', value: energies.energy_per_atom_vdw },
  ] as const;
  // One line says what a source does not give; four dashes would look like four faults.
  const missing = totals.filter(({ value }) => value === null);
  return (
    <Section id="details" title={title[language]}>
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
              value: formatNumber(lattice.volume, { decimals: 2 }),
              unit: 'Å³',
            },
          ]}
        />
        <FactTable
          title={t('energies')}
          facts={[
            energy('formation', t('formation'), energies.formation_energy_per_atom, t('perAtom')),
            energy('hull', t('hull'), energies.e_above_hull, t('perAtom')),
            ...totals
              .filter(({ value }) => value !== null)
              .map(({ id, value }) => energy(id, t(id), value, 'eV')),
            ...(missing.length === 0
              ? []
              : [{ id: 'missing', name: missing.map(({ id }) => t(id)).join(', '), value: t('notGiven') }]),
          ]}
        />
        <FactTable
          title={t('symmetry')}
          facts={[
            { id: 'hall', name: t('hall'), value: formatText(symmetry.hall) },
            {
              id: 'space-group',
              name: t('spaceGroup'),
              value: (
                <>
                  <SpaceGroup symbol={symmetry.space_group} /> ({symmetry.space_group_number})
                </>
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
            { id: 'symprec', name: t('symprec'), value: symmetry.symprec, unit: 'Å' },
          ]}
        />
      </div>
      <AtomicPositions material={material} />
    </Section>
  );
}

export const cellSection: MaterialSection = { id: 'details', title, Component: CellSection };
