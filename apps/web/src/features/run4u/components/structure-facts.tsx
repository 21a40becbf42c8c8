/** The two tables of a structure: its cell and its symmetry (spec §2.13). */
import type { ShownStructure } from '@unitcell/contract/run4u';
import { FactTable } from '../../../components/fact-table.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber, formatText } from '../../../lib/format.ts';
import { run4uTexts } from '../texts.ts';
import classes from './run4u.module.css';

const SYSTEMS = [
  'triclinic',
  'monoclinic',
  'orthorhombic',
  'tetragonal',
  'trigonal',
  'hexagonal',
  'cubic',
] as const;

type Facts = Pick<ShownStructure, 'lattice' | 'symmetry'>;

export function StructureFacts({ lattice, symmetry }: Partial<Facts>) {
  const { t } = useTexts(run4uTexts);
  const system = SYSTEMS.find((name) => name === symmetry?.crystal_system);
  const length = (id: 'a' | 'b' | 'c') => ({
    id,
    name: <i>{id}</i>,
    value: formatNumber(lattice?.[id], { decimals: 4 }),
    unit: 'Å',
  });
  const angle = (id: 'alpha' | 'beta' | 'gamma', symbol: string) => ({
    id,
    name: <i>{symbol}</i>,
    value: formatNumber(lattice?.[id], { decimals: 3 }),
    unit: '°',
  });
  return (
    <div className={classes.facts}>
      <FactTable
        title={t('cell')}
        facts={[
          length('a'),
          length('b'),
          length('c'),
          angle('alpha', 'α'),
          angle('beta', 'β'),
          angle('gamma', 'γ'),
          {
            id: 'volume',
            name: t('volume'),
            value: formatNumber(lattice?.volume, { decimals: 2 }),
            unit: 'Å³',
          },
        ]}
      />
      <FactTable
        title={t('symmetry')}
        facts={[
          { id: 'hall', name: t('hall'), value: formatText(symmetry?.hall) },
          {
            id: 'space-group',
            name: t('spaceGroup'),
            value: <SpaceGroup symbol={symmetry?.spacegroup ?? ''} />,
          },
          {
            id: 'point-group',
            name: t('pointGroup'),
            value: <SpaceGroup symbol={symmetry?.pointgroup ?? ''} />,
          },
          {
            id: 'crystal-system',
            name: t('crystalSystem'),
            value: system ? t(`crystal_${system}`) : formatText(symmetry?.crystal_system),
          },
        ]}
      />
    </div>
  );
}
