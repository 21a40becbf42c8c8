/** Columns of the results table (spec §2.10). */
import type { DataColumn } from '../../components/data-table/columns.ts';
import { Formula } from '../../components/formula.tsx';
import { NumberText } from '../../components/number-text.tsx';
import { SpaceGroup } from '../../components/space-group.tsx';
import type { Translate } from '../../i18n/texts.ts';
import { formatText } from '../../lib/format.ts';
import type { ecwindowTexts } from './texts.ts';
import type { FoundWindow } from './view-model.ts';

type T = Translate<(typeof ecwindowTexts)['en']>;
type Column = DataColumn<FoundWindow>;

const number = (t: T, id: 'reduction_onset' | 'ehull' | 'bandgap'): Column => ({
  id,
  header: t(id),
  value: (row) => row[id],
  render: (row) => <NumberText value={row[id]} />,
  isNumeric: true,
});

const hidden = (t: T, id: 'crystal_system' | 'hall', render?: Column['render']): Column => ({
  id,
  header: t(id),
  value: (row) => row[id] || null,
  render: render ?? ((row) => formatText(row[id])),
  isHiddenByDefault: true,
});

const symmetry = (t: T, id: 'spacegroup' | 'pointgroup'): Column => ({
  id,
  header: t(id),
  value: (row) => row[id],
  render: (row) => <SpaceGroup symbol={row[id]} />,
  isHiddenByDefault: true,
});

export const windowColumns = (t: T): readonly Column[] => [
  { id: 'struct_id', header: t('struct_id'), value: (row) => row.struct_id },
  {
    id: 'formula',
    header: t('formula'),
    value: (row) => row.formula,
    render: (row) => <Formula text={row.formula} />,
  },
  number(t, 'reduction_onset'),
  {
    id: 'oxidation_onset',
    header: t('oxidation_onset'),
    value: (row) => row.oxidation_onset,
    render: (row) =>
      row.oxidation_onset === null ? (
        <abbr title={t('noBound', { ion: row.work_ion })}>∞</abbr>
      ) : (
        <NumberText value={row.oxidation_onset} />
      ),
    isNumeric: true,
  },
  { id: 'work_ion', header: t('work_ion'), value: (row) => row.work_ion },
  number(t, 'ehull'),
  number(t, 'bandgap'),
  { id: 'nsites', header: t('nsites'), value: (row) => row.nsites, isNumeric: true },
  symmetry(t, 'spacegroup'),
  hidden(t, 'crystal_system'),
  symmetry(t, 'pointgroup'),
  hidden(t, 'hall'),
];
