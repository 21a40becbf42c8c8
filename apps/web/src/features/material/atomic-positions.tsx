/** Where the atoms of the conventional cell are, folded away until wanted. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { useMemo } from 'react';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { NumberText } from '../../components/number-text.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { detailTexts } from './detail-texts.ts';
import { type AtomicPosition, atomicPositions } from './detail-view-model.ts';
import classes from './material.module.css';

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

export function AtomicPositions({ material }: { readonly material: MaterialDetail }) {
  const { t } = useTexts(detailTexts);
  const rows = useMemo(() => atomicPositions(material), [material]);
  return (
    <details className={classes.positions}>
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
