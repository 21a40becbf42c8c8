/** Count line and table of the results. */
import { useMemo } from 'react';
import type { TableView } from '../../../components/data-table/columns.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { Formula } from '../../../components/formula.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import type { SearchResult } from '../api/use-material-search.ts';
import { materialColumns } from '../columns.tsx';
import { matdataTexts } from '../texts.ts';
import classes from './search-results.module.css';

interface SearchResultsProps {
  readonly result: SearchResult;
  readonly view: TableView;
  readonly onViewChange: (view: TableView) => void;
}

export function SearchResults({ result, view, onViewChange }: SearchResultsProps) {
  const { t } = useTexts(matdataTexts);
  const columns = useMemo(() => materialColumns(t), [t]);
  return (
    <>
      {result.remark !== '' && <p className={classes.remark}>{result.remark}</p>}
      <DataTable
        label={t('resultsLabel')}
        rows={result.materials}
        columns={columns}
        rowKey={(material) => material.struct_id}
        rowHref={(material) => `/matdatades/${material.struct_id}`}
        csvName={`unitcell-${result.basis.replace(/[^A-Za-z0-9()]+/g, '-')}`}
        view={view}
        onViewChange={onViewChange}
        caption={
          <h2 className={classes.count}>
            {t('found', { count: result.count, n: formatCount(result.count) })}
            {result.type === 'formula' ? <Formula text={result.basis} /> : result.basis}
          </h2>
        }
      />
    </>
  );
}
