/** Count line and table of the results. */
import { useMemo } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import type { ChangeView, TableView } from '../../../components/data-table/columns.ts';
import { DataTable, type RowSelection } from '../../../components/data-table/data-table.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/scale-origin.tsx';
import { withScale } from '../../../components/energy-scale/scale-parameter.ts';
import { useProvenance } from '../../../components/energy-scale/use-provenance.ts';
import { WILDCARD } from '../../../components/search-form/search-input.ts';
import { Formula } from '../../../components/formula.tsx';
import { ListCompletenessNote } from '../../../components/completeness/list-completeness-note.tsx';
import { completenessTexts } from '../../../components/completeness/texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import type { SearchResult } from './use-material-search.ts';
import { materialColumns } from '../../../components/materials/columns.tsx';
import { WayOn } from '../way-on.tsx';
import { matdataTexts } from '../texts.ts';
import classes from '../search.module.css';

interface SearchResultsProps {
  readonly result: SearchResult;
  /** The scale named in the address, which links to materials carry on. */
  readonly scale: string | null;
  readonly view: TableView;
  readonly onViewChange: ChangeView;
  readonly selection: RowSelection<{ readonly structId: number; readonly formula: string }>;
}

export function SearchResults({ result, scale, view, onViewChange, selection }: SearchResultsProps) {
  const { t, language } = useTexts(matdataTexts);
  const { t: completeness } = useTexts(completenessTexts);
  const columns = useMemo(() => materialColumns(language, completeness), [language, completeness]);
  const provenance = useProvenance()(result.scale);
  return (
    <ScaleOrigin scale={result.scale}>
      {result.remark !== '' && <p className={classes.remark}>{result.remark}</p>}
      <DataTable
        label={t('resultsLabel')}
        rows={result.materials}
        columns={columns}
        rowKey={(material) => material.structId}
        rowHref={(material) => withScale(`/matdatades/${material.structId}`, scale)}
        csvName={`unitcell-${result.basis.replace(/[^A-Za-z0-9()]+/g, '-')}`}
        view={view}
        onViewChange={onViewChange}
        selection={selection}
        caption={
          <>
            <h2 className={classes.resultsCount}>
              {t('found', { count: result.count, n: formatCount(result.count) })}
              {result.type === 'formula' ? <Formula text={result.basis} /> : result.basis}
              {result.type === 'elements' && result.basis.includes(WILDCARD) && (
                <span className={classes.others}> {t('andOthers')}</span>
              )}
            </h2>
            <p className={classes.resultsScale}>{provenance}</p>
            <ListCompletenessNote
              of="materials"
              completeness={result.completeness}
              incomplete={result.materials.filter(({ missing }) => missing !== null).length}
            />
            <CopyAsCode sent={result.sent} />
          </>
        }
      />
      {result.count === 0 && <WayOn type={result.type} basis={result.basis} scale={scale} />}
    </ScaleOrigin>
  );
}
