/** Columns of the results table (spec §2.10). */
import { optionText } from '@unitcell/material';
import { roundTo } from '@unitcell/numerics';
import {
  type DataColumn,
  formulaColumn,
  GAP_BAR_END,
  HULL_BAR_END,
  numberColumn,
  spaceGroupColumn,
} from '../../components/data-table/columns.tsx';
import {
  type completenessTexts,
  isHullBoundOfRow,
} from '../../components/completeness/completeness-note.tsx';
import { formulaText } from '../../components/formula.tsx';
import { NumberText } from '../../components/number-text.tsx';
import type { Translate } from '../../i18n/texts.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { formatText } from '../../lib/format.ts';
import type { ecwindowTexts } from './texts.ts';
import type { FoundWindow } from './view-model.ts';

type T = Translate<(typeof ecwindowTexts)['en']>;
type Column = DataColumn<FoundWindow>;

const METHODS = { reduction_onset: 'window', ehull: 'hull', bandgap: 'gap' } as const;

const number = (t: T, id: keyof typeof METHODS, more?: Partial<Column>): Column =>
  numberColumn(id, t(id), (row) => row[id], { method: METHODS[id], ...more });

/**
 * True if the window limits are only bounds, because compounds are missing, the material is on the hull, and none of
 * the missing compounds has its formula.
 */
const isBound = ({ missing, ehull, formula }: FoundWindow): boolean =>
  missing !== null && ehull === 0 && !missing.split(/[, ]+/).includes(formula);

function Bound({
  row,
  sign,
  title,
}: {
  readonly row: FoundWindow;
  readonly sign: string;
  readonly title: string;
}) {
  return isBound(row) ? <abbr title={title}>{sign} </abbr> : null;
}

const hidden = (t: T, id: 'crystal_system' | 'hall', render?: Column['render']): Column => ({
  id,
  header: t(id),
  value: (row) => row[id] || null,
  render: render ?? ((row) => formatText(row[id])),
  isHiddenByDefault: true,
});

const symmetry = (t: T, id: 'spacegroup' | 'pointgroup'): Column =>
  spaceGroupColumn(id, t(id), (row) => row[id], { isHiddenByDefault: true });

/** Width of the window in V, without floating-point noise; null if the window has no upper end. */
export const widthOf = ({ reduction_onset: from, oxidation_onset: to }: FoundWindow): number | null =>
  to === null ? null : roundTo(to - from, 6);

/** @param completeness texts and marks for incomplete systems */
export const windowColumns = (
  t: T,
  completeness: Translate<(typeof completenessTexts)['en']>,
): readonly Column[] => {
  const lacks = ({ missing }: FoundWindow): string =>
    completeness('missingTitle', { missing: formulaText(missing ?? '') });
  /** A voltage that is infinite if the window has no upper end, and that may be only an upper bound. */
  const upper = (value: (row: FoundWindow) => number | null) => ({
    value,
    render: (row: FoundWindow) =>
      row.oxidation_onset === null ? (
        <abbr title={t('noBound', { ion: row.work_ion })}>∞</abbr>
      ) : (
        <>
          <Bound row={row} sign="≤" title={lacks(row)} />
          <NumberText value={value(row)} />
        </>
      ),
    isNumeric: true,
    method: 'window' as const,
  });
  return [
    formulaColumn('formula', t('formula'), (row) => row.formula, { isKey: true }),
    { id: 'struct_id', header: t('struct_id'), value: (row) => row.struct_id },
    {
      ...number(t, 'reduction_onset'),
      isKey: true,
      render: (row) => (
        <>
          <Bound row={row} sign="≥" title={lacks(row)} />
          <NumberText value={row.reduction_onset} />
        </>
      ),
    },
    {
      id: 'oxidation_onset',
      header: t('oxidation_onset'),
      ...upper((row) => row.oxidation_onset),
      isKey: true,
    },
    { id: 'work_ion', header: t('work_ion'), value: (row) => row.work_ion },
    {
      ...number(t, 'ehull'),
      isKey: true,
      barEnd: HULL_BAR_END,
      render: (row) => (
        <>
          {isHullBoundOfRow(row.missing, row.formula) && <abbr title={lacks(row)}>≥ </abbr>}
          <NumberText value={row.ehull} />
        </>
      ),
    },
    number(t, 'bandgap', { barEnd: GAP_BAR_END }),
    { id: 'nsites', header: t('nsites'), value: (row) => row.nsites, isNumeric: true, method: 'cell' },
    symmetry(t, 'spacegroup'),
    hidden(t, 'crystal_system', (row) =>
      formatText(optionText('crystalSystem', row.crystal_system, currentLanguage())),
    ),
    symmetry(t, 'pointgroup'),
    hidden(t, 'hall'),
    {
      id: 'width',
      header: t('width'),
      ...upper(widthOf),
      isHiddenByDefault: true,
    },
    {
      id: 'missing',
      header: completeness('missingColumn'),
      value: (row) => row.missing,
      render: (row) => (row.missing === null ? '-' : formulaText(row.missing)),
      isHiddenByDefault: true,
    },
  ];
};
