/** Columns of the results table (spec §2.7). */
import type { DataColumn } from '../../components/data-table/columns.ts';
import { Formula } from '../../components/formula.tsx';
import { NumberText } from '../../components/number-text.tsx';
import { SpaceGroup } from '../../components/space-group.tsx';
import type { Translate } from '../../i18n/texts.ts';
import { formatText } from '../../lib/format.ts';
import type { matdataTexts } from './texts.ts';
import type { Material } from './view-model.ts';

type T = Translate<(typeof matdataTexts)['en']>;
type Column = DataColumn<Material>;

type EnergyField = 'form_energy' | 'e_above_hull' | 'band_gap' | 'efermi';
type TextField = 'crystal_system' | 'lattice_type';
type FlagField = 'has_band' | 'is_hubbard' | 'has_hse' | 'has_epsilon' | 'has_piezo' | 'has_elastic';

const energy = (t: T, id: EnergyField): Column => ({
  id,
  header: t(id),
  value: (material) => material[id],
  render: (material) => <NumberText value={material[id]} />,
  isNumeric: true,
});

const hidden = (column: Column): Column => ({ ...column, isHiddenByDefault: true });

const text = (t: T, id: TextField): Column => ({
  id,
  header: t(id),
  value: (material) => material[id] || null,
  render: (material) => formatText(material[id]),
});

/** Booleans show as the words true and false, in either language (spec §2.7). */
const flag = (t: T, id: FlagField): Column => ({ id, header: t(id), value: (material) => material[id] });

export const materialColumns = (t: T): readonly Column[] => [
  { id: 'struct_id', header: t('Struct_id'), value: (material) => material.struct_id },
  {
    id: 'formula',
    header: t('Formula'),
    value: (material) => material.formula,
    render: (material) => <Formula text={material.formula} />,
  },
  {
    id: 'space_group',
    header: t('Spacegroup'),
    value: (material) => material.space_group,
    render: (material) => <SpaceGroup symbol={material.space_group} />,
  },
  energy(t, 'form_energy'),
  energy(t, 'e_above_hull'),
  energy(t, 'band_gap'),
  { id: 'nsites', header: t('nsites'), value: (material) => material.nsites, isNumeric: true },
  hidden(energy(t, 'efermi')),
  hidden(text(t, 'crystal_system')),
  hidden(text(t, 'lattice_type')),
  ...(['has_band', 'is_hubbard', 'has_hse', 'has_epsilon', 'has_piezo', 'has_elastic'] as const).map((id) =>
    hidden(flag(t, id)),
  ),
];
