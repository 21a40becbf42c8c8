/** Results of a match: phases so far, the verdict, the table of hits, the measured peaks. */
import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { VERDICT_QUALITY } from '@unitcell/diffraction';
import { useMemo } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import {
  type DataColumn,
  formulaColumn,
  HULL_BAR_END,
  numberColumn,
  spaceGroupColumn,
} from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { ScaleOrigin, useScaleName } from '../../../components/energy-scale/energy-scale.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { Warnings } from '../../../components/notice.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { Section } from '../../../components/section.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { joined, type Translate, useTexts } from '../../../i18n/texts.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import type { Refiner } from '../refine/use-refiner.ts';
import { xrdTexts } from '../texts.ts';
import {
  clearlyUnexplained,
  type Hit,
  namedHit,
  type PeakRow,
  peakRows,
  rivalsOf,
  type Round,
  showRefinement,
} from '../matching.ts';
import classes from './xrd.module.css';

interface VerdictProps {
  readonly round: Round;
  /** The hit shown in the chart; if none is shown, the hit of the verdict. */
  readonly hit: Hit;
  /** Removes the hit and matches the rest; undefined while the pattern of the hit is not in the chart. */
  readonly onExplainRest: (() => void) | undefined;
  readonly isBusy: boolean;
  /** True if the element filter is set. */
  readonly isFiltered: boolean;
}

/** Maximum numbers of unexplained peaks (the table lists all) and of rivals named in the verdict. */
const SAID_PEAKS = 6;
const SAID_RIVALS = 4;

/** Verdict on a hit: how much it explains, what remains, and what to do next. */
function Verdict({ round, hit, isBusy, isFiltered, onExplainRest }: VerdictProps) {
  const { t } = useTexts(xrdTexts);
  const percent = Math.round(100 * hit.explained);
  const unexplained = clearlyUnexplained(hit);
  const said = unexplained.slice(0, SAID_PEAKS);
  const allRivals = rivalsOf(round, hit);
  const rivals = allRivals.slice(0, SAID_RIVALS);
  return (
    <div className={`uc-verdict ${classes.verdict}`} data-confidence={hit.confidence}>
      <p className={classes.verdictTitle}>{t(hit.confidence)}</p>
      <p className={classes.verdictText}>
        <Formula text={hit.formula} /> <SpaceGroup symbol={hit.spaceGroup} />{' '}
        <SourcedValue name={t('explained')} method="match" isMadeHere>
          {t(round.phases.length === 0 ? 'explains' : 'explainsOfRest', { percent })}
        </SourcedValue>{' '}
        <SourcedValue name={t('confirmed')} method="match" isMadeHere>
          {t('confirms', { percent: Math.round(100 * hit.confirmed) })}
        </SourcedValue>
      </p>
      {hit.confidence === 'none' && <p className={classes.verdictText}>{t('noneAdvice')}</p>}
      <p className={classes.verdictText}>
        <SourcedValue name={t('strain')} method="match" isMadeHere>
          {Math.abs(hit.strain) < NO_STRAIN
            ? t('sameCell')
            : t(hit.strain > 0 ? 'largerCell' : 'smallerCell', {
                percent: formatNumber(100 * Math.abs(hit.strain), { decimals: 1 }),
              })}
        </SourcedValue>{' '}
        <SourcedValue name={t('sizeName')} method="match" isMadeHere>
          {t('size', { size: formatNumber(round.result.crystal_size, { decimals: 0 }) })}
        </SourcedValue>
      </p>
      {rivals.length > 0 && (
        <p className={classes.verdictText}>
          {t('rivals')}{' '}
          {rivals.map((rival, index) => (
            <span key={rival.structId}>
              {index > 0 && ', '}
              <Formula text={rival.formula} /> ({rival.structId})
            </span>
          ))}
          {allRivals.length > rivals.length && t('moreRivals', { n: allRivals.length - rivals.length })}
          {t('stop')}
          {rivals.every(({ formula }) => formula === hit.formula)
            ? t('polymorphsAdvice')
            : !isFiltered && t('rivalsAdvice')}
        </p>
      )}
      {said.length > 0 && (
        <p className={classes.verdictText}>
          {joined(
            t('notExplained', {
              peaks: said
                .map((peak) => `${peak.two_theta.toFixed(2)}° (${Math.round(peak.intensity)} %)`)
                .join(', '),
            }),
            unexplained.length > said.length && t('andMore', { n: unexplained.length - said.length }),
          )}
        </p>
      )}
      {round.phases.length === 0 && (
        <p className="uc-hint">
          {t('quality', {
            right: VERDICT_QUALITY.present.confidentRight,
            patterns: VERDICT_QUALITY.absent.patterns,
            present: VERDICT_QUALITY.present.patterns,
            here: VERDICT_QUALITY.present.confident,
            wrong: VERDICT_QUALITY.absent.confident,
            materials: formatCount(VERDICT_QUALITY.materials),
          })}
        </p>
      )}
      {unexplained.length > 0 && onExplainRest && (
        <div className={`uc-row ${classes.explain}`}>
          <Button size="xs" variant="default" disabled={isBusy} onClick={onExplainRest}>
            {t('explainRest')}
          </Button>
          {isFiltered && <span className="uc-hint">{t('filterApplies')}</span>}
        </div>
      )}
    </div>
  );
}

/** A strain smaller than this counts as zero; it is half the step of the search. */
const NO_STRAIN = 0.0005;

type T = Translate<(typeof xrdTexts)['en']>;

/** Columns of the result table: those of spec §2.14, the strain, and the shares of the intensity. */
export const hitColumns = (t: T): readonly DataColumn<Hit>[] => [
  formulaColumn('formula', t('formula'), (hit) => hit.formula, { isKey: true }),
  { id: 'struct_id', header: t('structId'), value: (hit) => hit.structId },
  spaceGroupColumn('space_group', t('spaceGroup'), (hit) => hit.spaceGroup, { isKey: true }),
  { id: 'nsites', header: t('nsites'), value: (hit) => hit.nsites, isNumeric: true, method: 'cell' },
  numberColumn('ehull', t('eHull'), (hit) => hit.eHull, { method: 'hull', barEnd: HULL_BAR_END }),
  numberColumn('distance', t('distance'), (hit) => hit.distance, {
    decimals: 4,
    method: 'match',
    isKey: true,
  }),
  numberColumn('strain', t('strain'), (hit) => 100 * hit.strain, { decimals: 2, method: 'match' }),
  numberColumn('explained', t('explained'), (hit) => 100 * hit.explained, {
    decimals: 0,
    method: 'match',
    isKey: true,
  }),
  numberColumn('confirmed', t('confirmed'), (hit) => 100 * hit.confirmed, { decimals: 0, method: 'match' }),
  {
    id: 'material',
    header: t('material'),
    value: (hit) => `/matdatades/${hit.structId}`,
    render: (hit) => (
      <a
        className={classes.materialLink}
        href={`/matdatades/${hit.structId}`}
        target="_blank"
        rel="noopener"
        aria-label={t('openMaterial', { id: hit.structId })}
        title={t('openMaterial', { id: hit.structId })}
      >
        <IconExternalLink size={16} aria-hidden="true" />
      </a>
    ),
  },
];

export const peakColumns = (t: T): readonly DataColumn<PeakRow>[] => [
  numberColumn('angle', t('peakAngle'), (peak) => peak.two_theta, { decimals: 2, method: 'peaks' }),
  numberColumn('d', t('peakD'), (peak) => peak.d, { decimals: 4, method: 'peaks' }),
  numberColumn('intensity', t('peakIntensity'), (peak) => peak.intensity, { decimals: 1, method: 'peaks' }),
  numberColumn('height', t('peakHeight'), (peak) => peak.height, { decimals: 1, method: 'peaks' }),
  numberColumn('fwhm', t('peakWidth'), (peak) => peak.fwhm, { method: 'peaks' }),
  {
    id: 'explained',
    header: t('peakExplained'),
    value: (peak) => (peak.isExplained === null ? null : peak.isExplained ? t('yes') : t('no')),
  },
];

interface ResultsProps {
  readonly round: Round;
  /** The hit shown over the measurement. */
  readonly chosen: Hit | null;
  readonly canExplainRest: boolean;
  readonly isBusy: boolean;
  /** True if the element filter is set. */
  readonly isFiltered: boolean;
  readonly refiner: Refiner;
  readonly onChoose: (hit: Hit) => void;
  readonly onExplainRest: () => void;
  readonly onBack: () => void;
}

const PAGE_SIZE = 10;

export function Results(props: ResultsProps) {
  const { t } = useTexts(xrdTexts);
  const nameOf = useScaleName();
  const { round, chosen, refiner, onChoose } = props;
  const { result, hits, phases } = round;
  const columns = useMemo(() => hitColumns(t), [t]);
  const said = chosen ?? namedHit(round);
  return (
    <Section
      id="matches"
      title={phases.length === 0 ? t('results') : t('resultsOfRest')}
      tools={
        <>
          {hits.length > 0 && (
            <Button size="xs" variant="default" onClick={showRefinement}>
              {t('goToRefine')}
            </Button>
          )}
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
      <Warnings warnings={result.warnings} kind="note" />
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
        <ScaleOrigin scale={{ functional: result.functional ?? '', release: result.release ?? null }}>
          <DataTable
            // A new match resets sorting and paging, so that its best hit is in view.
            key={round.matchId}
            label={t('hitTable')}
            rows={hits}
            columns={columns}
            rowKey={(hit) => hit.structId}
            pageSize={PAGE_SIZE}
            onRowClick={onChoose}
            isHighlighted={(hit) => hit.structId === chosen?.structId}
            selection={{
              isSelected: (hit) => refiner.phases.some(({ structId }) => structId === hit.structId),
              onToggle: refiner.toggle,
              label: (hit) => t('refineHit', { formula: formulaText(hit.formula), id: hit.structId }),
            }}
            csvName="xrd-matches"
            caption={
              <span className={classes.count}>
                {joined(
                  t('compared', {
                    count: result.candidates,
                    n: formatCount(result.candidates),
                    seconds: formatNumber(result.seconds, { decimals: 1 }),
                  }),
                  hits.length > 0 && t('clickRow'),
                  !!result.functional && t('energiesOn', { scale: nameOf(result.functional) }),
                )}
              </span>
            }
          />
        </ScaleOrigin>
      </div>
      <Peaks key={round.matchId} round={round} chosen={chosen} />
    </Section>
  );
}

/** The phases removed so far, and the share of the pattern they explain. */
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
    <details className={`uc-fold ${classes.peaks}`}>
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
