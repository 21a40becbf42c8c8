/** One candidate: its cell, where it comes from, and its file. */
import { Button, Skeleton } from '@mantine/core';
import type { DesignCandidate } from '@unitcell/contract';
import { fromPymatgenDict } from '@unitcell/crystal';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { Panel } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { formatNumber } from '../../../lib/format.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { useCandidate } from '../api/use-design.ts';
import { designTexts } from '../texts.ts';
import classes from './design.module.css';

interface CandidateViewProps {
  readonly runId: number;
  readonly candidate: DesignCandidate;
  readonly onClose: () => void;
}

export function CandidateView({ runId, candidate, onClose }: CandidateViewProps) {
  const { t } = useTexts(designTexts);
  const { rank, formula, template, replaced } = candidate;
  const found = useCandidate(runId, rank);
  const json = found.data?.structure;
  const structure = useMemo(() => (json ? fromPymatgenDict(json) : null), [json]);
  return (
    <section className={classes.candidate} aria-label={t('view', { formula: formulaText(formula) })}>
      <header className={classes.candidateHead}>
        <h3>
          {rank}. <Formula text={formula} />
        </h3>
        <Button
          size="xs"
          variant="default"
          disabled={!found.data}
          onClick={() => found.data && downloadText(`${formula}-candidate-${rank}.cif`, found.data.cif)}
        >
          {t('cif')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      </header>
      {found.isError && <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />}
      <Panel>
        {structure ? <CrystalViewer structure={structure} formula={formula} /> : <Skeleton height={360} />}
      </Panel>
      <p className={classes.note}>
        {t('guess', {
          template: formulaText(template.formula),
          scale: formatNumber(candidate.volume_ratio, { decimals: 2 }),
        })}{' '}
        {replaced.map(({ from, to }) => t('replaced', { from, to })).join(', ')}{' '}
        <Link to={`/matdatades/${template.struct_id}`}>
          <Formula text={template.formula} />
        </Link>
      </p>
    </section>
  );
}
