/** What a match found: phases so far, the verdict, the table of hits, the measured peaks. */
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useScaleName } from '../../../components/energy-scale/use-scale-name.ts';
import { Formula } from '../../../components/formula.tsx';
import { Warnings } from '../../../components/notice.tsx';
import { ScaleContext } from '../../../components/provenance/scale-context.ts';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import { hitColumns, peakColumns } from '../columns.tsx';
import { xrdTexts } from '../texts.ts';
import { RESULTS_ID } from '../show.ts';
import { type Hit, namedHit, peakRows, type Round } from '../view-model.ts';
import { Verdict } from './verdict.tsx';
import classes from './xrd.module.css';

interface ResultsProps {
  readonly round: Round;
  /** The hit laid over the measurement. */
  readonly chosen: Hit | null;
  readonly canExplainRest: boolean;
  readonly isBusy: boolean;
  /** The element box says something. */
  readonly isFiltered: boolean;
  readonly onChoose: (hit: Hit) => void;
  readonly onExplainRest: () => void;
  readonly onBack: () => void;
}

const PAGE_SIZE = 10;

export function Results(props: ResultsProps) {
  const { t } = useTexts(xrdTexts);
  const nameOf = useScaleName();
  const { round, chosen, onChoose } = props;
  const { result, hits, phases } = round;
  const columns = useMemo(() => hitColumns(t), [t]);
  const said = chosen ?? namedHit(round);
  return (
    <Section
      id={RESULTS_ID}
      title={phases.length === 0 ? t('results') : t('resultsOfRest')}
      tools={
        <>
          {round.sent && <CopyAsCode sent={round.sent} />}
          {phases.length > 0 && (
            <Button size="xs" variant="default" disabled={props.isBusy} onClick={props.onBack}>
              {t('back')}
            </Button>
          )}
        </>
      }
    >
      {phases.length > 0 && <Phases round={round} />}
      <Warnings warnings={result.warnings} />
      <div className={classes.found}>
        {said && (
          <Verdict
            round={round}
            hit={said}
            isBusy={props.isBusy}
            isFiltered={props.isFiltered}
            onExplainRest={props.canExplainRest ? props.onExplainRest : undefined}
          />
        )}
        {!said && <p className={classes.verdictText}>{result.statement}</p>}
        <ScaleContext value={{ scale: result.functional ?? '', release: null }}>
          <DataTable
            label={t('hitTable')}
            rows={hits}
            columns={columns}
            rowKey={(hit) => hit.structId}
            pageSize={PAGE_SIZE}
            onRowClick={onChoose}
            isHighlighted={(hit) => hit.structId === chosen?.structId}
            csvName="xrd-matches"
            caption={
              <span className={classes.count}>
                {t('compared', {
                  n: formatCount(result.candidates),
                  seconds: formatNumber(result.seconds, { decimals: 1 }),
                })}
                {hits.length > 0 && ` ${t('clickRow')}`}
                {result.functional && ` ${t('energiesOn', { scale: nameOf(result.functional) })}`}
              </span>
            }
          />
        </ScaleContext>
      </div>
      <Peaks round={round} chosen={chosen} />
    </Section>
  );
}

/** The phases taken away so far, and how much of the pattern they were. */
function Phases({ round }: { readonly round: Round }) {
  const { t } = useTexts(xrdTexts);
  return (
    <div className={classes.phases}>
      <p className={classes.verdictText}>
        {t('takenAway')}{' '}
        {round.phases.map(({ hit }, index) => (
          <span key={hit.structId}>
            {index > 0 && ', '}
            <a href={`/matdatades/${hit.structId}`} target="_blank" rel="noopener">
              <Formula text={hit.formula} />
            </a>{' '}
            ({hit.structId})
          </span>
        ))}
        {round.explainedShare !== null &&
          `${t('stop')}${t('takenShare', { percent: Math.round(100 * round.explainedShare) })}`}
      </p>
    </div>
  );
}

function Peaks({ round, chosen }: { readonly round: Round; readonly chosen: Hit | null }) {
  const { t } = useTexts(xrdTexts);
  const columns = useMemo(() => peakColumns(t), [t]);
  const rows = useMemo(() => peakRows(round.result.peaks, chosen), [round, chosen]);
  if (rows.length === 0) return null;
  return (
    <details className={classes.peaks}>
      <summary>{t('peaks', { count: rows.length })}</summary>
      <DataTable
        label={t('peakTable')}
        rows={rows}
        columns={columns}
        rowKey={(peak) => peak.two_theta}
        pageSize={PAGE_SIZE}
        isHighlighted={(peak) => peak.isExplained === false}
        csvName="xrd-peaks"
      />
    </details>
  );
}
