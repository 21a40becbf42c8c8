/** What to think of a hit, in words: how much it explains, what it leaves, and what to do about that. */
import { Button } from '@mantine/core';
import { VERDICT_QUALITY } from '@unitcell/diffraction';
import { Formula } from '../../../components/formula.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import { xrdTexts } from '../texts.ts';
import { type Hit, rivalsOf, type Round } from '../view-model.ts';
import classes from './xrd.module.css';

interface VerdictProps {
  readonly round: Round;
  /** The hit in the chart, or the one named. */
  readonly hit: Hit;
  /** Takes the hit away and matches what it leaves; absent while its pattern is not in the chart. */
  readonly onExplainRest: (() => void) | undefined;
  readonly isBusy: boolean;
  /** The element box says something. */
  readonly isFiltered: boolean;
}

/** Unexplained peaks said in the sentence; the table has all. */
const SAID_PEAKS = 6;
const SAID_RIVALS = 4;

export function Verdict({ round, hit, isBusy, isFiltered, onExplainRest }: VerdictProps) {
  const { t } = useTexts(xrdTexts);
  const percent = Math.round(100 * hit.explained);
  const said = hit.unexplained.slice(0, SAID_PEAKS);
  const allRivals = rivalsOf(round, hit);
  const rivals = allRivals.slice(0, SAID_RIVALS);
  return (
    <div className={classes.verdict} data-confidence={hit.confidence}>
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
          {t('notExplained', {
            peaks: said
              .map((peak) => `${peak.two_theta.toFixed(2)}° (${Math.round(peak.intensity)} %)`)
              .join(', '),
          })}
          {hit.unexplained.length > said.length &&
            ` ${t('andMore', { n: hit.unexplained.length - said.length })}`}
        </p>
      )}
      {round.phases.length === 0 && (
        <p className={classes.hint}>
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
      {hit.unexplained.length > 0 && onExplainRest && (
        <div className={classes.explain}>
          <Button size="xs" variant="default" disabled={isBusy} onClick={onExplainRest}>
            {t('explainRest')}
          </Button>
          {isFiltered && <span className={classes.hint}>{t('filterApplies')}</span>}
        </div>
      )}
    </div>
  );
}

/** Below this a cell is called the same: half a step of the search. */
const NO_STRAIN = 0.0005;
