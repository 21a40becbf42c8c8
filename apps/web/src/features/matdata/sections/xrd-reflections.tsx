/** The reflections of a pattern as a table, folded away until wanted. */
import type { MaterialXrd } from '@unitcell/contract';
import { useMemo } from 'react';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { reflectionsOf } from '../../../viz/xrd-plot/reflections.ts';
import classes from './xrd-section.module.css';
import { xrdTexts } from './xrd-texts.ts';

const PAGE_SIZE = 10;

export function XrdReflections({ pattern, name }: { readonly pattern: MaterialXrd; readonly name: string }) {
  const { t } = useTexts(xrdTexts);
  const rows = useMemo(() => reflectionsOf(pattern), [pattern]);
  if (rows.length === 0) return null;
  return (
    <details className={classes.reflections}>
      <summary>{t('reflections', { n: rows.length })}</summary>
      <DataTable
        label={t('peakTable')}
        rows={rows}
        rowKey={(row) => row.twoThetaDeg}
        pageSize={PAGE_SIZE}
        csvName={name}
        columns={[
          { id: 'hkl', header: t('hkl'), value: (row) => row.forms },
          {
            id: 'angle',
            header: t('angle'),
            value: (row) => row.twoThetaDeg,
            render: (row) => <NumberText value={row.twoThetaDeg} />,
            isNumeric: true,
            method: 'pattern',
          },
          {
            id: 'd',
            header: t('d'),
            value: (row) => row.dSpacing,
            render: (row) => <NumberText value={row.dSpacing} decimals={4} />,
            isNumeric: true,
            method: 'pattern',
          },
          {
            id: 'intensity',
            header: t('intensity'),
            value: (row) => row.intensity,
            render: (row) => <NumberText value={row.intensity} decimals={2} />,
            isNumeric: true,
            method: 'pattern',
          },
        ]}
      />
    </details>
  );
}
