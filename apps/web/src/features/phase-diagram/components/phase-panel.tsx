/** The phase diagram around one material (spec §2.8). */
import { Loader } from '@mantine/core';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { usePhaseDiagramOf } from '../api/use-phase-diagram.ts';
import { phaseTexts } from '../texts.ts';
import { PhaseDiagramView } from './phase-diagram-view.tsx';
import classes from './phase-diagram.module.css';

interface PhasePanelProps {
  readonly elements: readonly string[];
  readonly structId: number;
}

export function PhasePanel({ elements, structId }: PhasePanelProps) {
  const { t } = useTexts(phaseTexts);
  const diagram = usePhaseDiagramOf(elements);
  if (diagram.isPending)
    return (
      <output className={classes.loading}>
        <Loader size={40} />
        {t('loading')}
      </output>
    );
  if (diagram.isError) return <ErrorPanel error={diagram.error} onRetry={() => void diagram.refetch()} />;
  return <PhaseDiagramView answer={diagram.data} ownId={structId} />;
}
