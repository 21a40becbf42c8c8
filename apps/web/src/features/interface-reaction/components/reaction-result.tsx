/** Plot and table of the reactions; point and row highlight each other. */
import type { InterfaceResult } from '@unitcell/contract/interface-reaction';
import { useCallback, useMemo, useState } from 'react';
import { CompletenessNote } from '../../../components/completeness/completeness-note.tsx';
import { completenessRemark } from '../../../components/completeness/consequence.ts';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance } from '../../../components/energy-scale/use-provenance.ts';
import { useDownload } from '../../../components/file-origin.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { ReactionEquation } from '../../../components/reaction-equation.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { SentRequest } from '../../../lib/api-client.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { reactionColumns } from '../columns.tsx';
import { reactionFigure } from '../reaction-figure.ts';
import { interfaceTexts } from '../texts.ts';
import { isInert, type ReactionRow, rowsOf } from '../view-model.ts';
import classes from './interface.module.css';

interface ReactionResultProps {
  readonly result: InterfaceResult;
  /** What it answers. */
  readonly sent: SentRequest;
  /** The scale named in the address, which links to materials carry on. */
  readonly scale: string | null;
  /** A newer answer is on its way. */
  readonly isStale: boolean;
}

export function ReactionResult({ result, sent, scale, isStale }: ReactionResultProps) {
  const { t } = useTexts(interfaceTexts);
  const download = useDownload();
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const rows = useMemo(() => rowsOf(result), [result]);
  const columns = useMemo(() => reactionColumns(t, scale), [t, scale]);
  const isNarrow = useIsCompact();
  const [first, second] = result.reactants;
  const name = `interface-${first.formula}-${second.formula}`;
  const provenance = useProvenance()(result);

  const figure = useCallback(
    (colors: ChartColors) =>
      reactionFigure(result, highlighted, { energyAxis: t('energyAxis'), provenance, isNarrow }, colors),
    [result, highlighted, provenance, isNarrow, t],
  );
  const onHover = useCallback((point: { readonly customdata?: unknown } | null) => {
    setHighlighted(typeof point?.customdata === 'number' ? point.customdata : null);
  }, []);
  const hoverRow = useCallback((row: ReactionRow | null) => setHighlighted(row?.index ?? null), []);
  const remarks = completenessRemark(result.completeness);
  const table = () => ({
    remarks,
    header: ['atomic_fraction', ...columns.map(({ header }) => header)],
    rows: rows.map((row) => [row.atomic_fraction, ...columns.map(({ value }) => value(row))]),
  });
  return (
    <div className={classes.result} data-stale={isStale || undefined}>
      <Remarks result={result} />
      <Plot
        figure={figure}
        name={name}
        height={460}
        summary={t('summary', {
          a: formulaText(first.formula),
          b: formulaText(second.formula),
          energy: formatNumber(result.reaction_energy[result.min_re_index]),
          x: formatNumber(result.atomic_fraction[result.min_re_index]),
        })}
        table={table}
        onHover={onHover}
      />
      <DataTable
        label={t('table')}
        rows={rows}
        columns={columns}
        rowKey={({ index }) => index}
        csvName={name}
        csvRemarks={remarks}
        caption={
          <p className={classes.note}>
            {provenance}
            <br />
            {t('perEquation')}
          </p>
        }
        isHighlighted={({ index }) => index === (highlighted ?? result.min_re_index)}
        onRowHover={hoverRow}
      />
      <div className={classes.json}>
        <CopyAsCode sent={sent} />
        <ToolbarButtons
          label={t('json')}
          buttons={[
            {
              id: 'json',
              label: t('json'),
              onClick: () => download.json(`${name}.json`, result),
            },
          ]}
        />
      </div>
    </div>
  );
}

/** What a reader should know before the plot: the strongest reaction, and where the energies come from. */
function Remarks({ result }: { readonly result: InterfaceResult }) {
  const { t } = useTexts(interfaceTexts);
  const [first, second] = result.reactants;
  const strongest = result.interface_table_data[result.min_re_index];
  return (
    <div className={classes.remarks}>
      {isInert(result) ? (
        <p className={classes.verdict}>
          {t('inert', { a: formulaText(first.formula), b: formulaText(second.formula) })}
        </p>
      ) : (
        strongest && (
          <p className={classes.verdict}>
            <span className="uc-caption">{t('strongest')}</span>
            <br />
            <ReactionEquation text={strongest.reaction_function} />
            <br />
            <SourcedValue name={t('total')} method="reaction" isMadeHere>
              <strong>{formatNumber(strongest.reaction_energy_total)} eV/atom</strong> ·{' '}
              {formatNumber(strongest.reaction_energy_kj, { decimals: 1 })} kJ/mol
            </SourcedValue>
          </p>
        )
      )}
      {result.reactants.map((reactant) => (
        <ReactantNote key={`${reactant.formula} ${reactant.struct_id}`} reactant={reactant} />
      ))}
      <CompletenessNote completeness={result.completeness} of="reaction" />
      {result.open && <p className={classes.note}>{t('openNote', { element: result.open.element })}</p>}
    </div>
  );
}

function ReactantNote({ reactant }: { readonly reactant: InterfaceResult['reactants'][number] }) {
  const { t } = useTexts(interfaceTexts);
  const formula = formulaText(reactant.formula);
  if (reactant.struct_id === null) return <p className={classes.note}>{t('onHull', { formula })}</p>;
  if (reactant.energy_above_hull === 0) return null;
  return (
    <p className={classes.note}>
      <SourcedValue name={t('aboveHull')} method="hull" isMadeHere>
        {t('metastable', {
          formula,
          id: reactant.struct_id,
          energy: formatNumber(reactant.energy_above_hull),
        })}
      </SourcedValue>
    </p>
  );
}
