/** Columns of the electrodes and of their states of charge. */
import type { ElectrodeRow, ElectrodeState } from '@unitcell/contract/electrodes';
import {
  type DataColumn,
  formulaColumn,
  HULL_BAR_END,
  numberColumn,
  spaceGroupColumn,
} from '../../components/data-table/columns.tsx';
import { withScale } from '../../components/energy-scale/energy-scale.tsx';
import { Formula } from '../../components/formula.tsx';
import type { MethodId } from '../../components/provenance/methods.ts';
import type { Translate } from '../../i18n/texts.ts';
import { paddedStructId } from '../../lib/format.ts';
import type { electrodesTexts } from './texts.ts';

type T = Translate<(typeof electrodesTexts)['en']>;

type NumberField = {
  [Name in keyof ElectrodeRow]: ElectrodeRow[Name] extends number ? Name : never;
}[keyof ElectrodeRow];

const number = (
  id: NumberField,
  header: string,
  decimals: number,
  more?: Partial<DataColumn<ElectrodeRow>>,
) => numberColumn<ElectrodeRow>(id, header, (row) => row[id], { decimals, method: 'electrode', ...more });

const hidden = { isHiddenByDefault: true } as const;
const key = { isKey: true } as const;

export const electrodeColumns = (t: T): readonly DataColumn<ElectrodeRow>[] => [
  formulaColumn('discharged', t('discharged'), (row) => row.formula, { isKey: true }),
  formulaColumn('charged', t('charged'), (row) => row.charged_formula),
  formulaColumn('framework', t('host'), (row) => row.framework, hidden),
  number('average_voltage', t('average_voltage'), 2, key),
  number('capacity', t('capacityColumn'), 0, key),
  number('volume_capacity', t('volume_capacity'), 0),
  number('specific_energy', t('specific_energy'), 0),
  number('energy_density', t('energy_density'), 0),
  number('volume_change', t('volume_change'), 1),
  number('above_hull', t('above_hull'), 3, { barEnd: HULL_BAR_END, method: 'hull', ...key }),
  number('plateaus', t('plateaus'), 0),
  number('min_voltage', t('min_voltage'), 2, hidden),
  number('max_voltage', t('max_voltage'), 2, hidden),
  number('charged_capacity', t('charged_capacity'), 0, hidden),
];

const stateNumber = (
  id: 'content' | 'capacity' | 'volume' | 'above_hull' | 'above_profile',
  header: string,
  decimals: number,
  method: MethodId,
) =>
  numberColumn<ElectrodeState>(id, header, (row) => row[id], {
    decimals,
    method,
    isKey: id !== 'volume' && id !== 'above_profile',
  });

export const stateColumns = (t: T, scale: string | null): readonly DataColumn<ElectrodeState>[] => [
  {
    id: 'formula',
    isKey: true,
    header: t('material'),
    value: (row) => row.formula,
    render: (row) => (
      <a
        href={withScale(`/matdatades/${paddedStructId(row.struct_id)}`, scale)}
        target="_blank"
        rel="noopener"
      >
        <Formula text={row.formula} />
      </a>
    ),
  },
  spaceGroupColumn('space_group', t('spaceGroup'), (row) => row.space_group),
  stateNumber('content', t('content'), 3, 'electrode'),
  stateNumber('capacity', t('stateCapacity'), 1, 'electrode'),
  stateNumber('volume', t('volume'), 1, 'electrode'),
  stateNumber('above_hull', t('above_hull'), 3, 'hull'),
  stateNumber('above_profile', t('aboveProfile'), 3, 'electrode'),
  {
    id: 'on_profile',
    header: t('onProfile'),
    value: (row) => row.on_profile,
    render: (row) => t(row.on_profile ? 'yes' : 'no'),
  },
];
