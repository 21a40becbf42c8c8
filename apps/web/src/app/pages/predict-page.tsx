/** The page of predictions, with the predicted crystal drawn on the phase diagram of its elements. */
import type { PredictionResult } from '@unitcell/contract/prediction';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction/rules';
import { ErrorPanel, InlineFailure } from '../../components/failure.tsx';
import { ScaleOrigin } from '../../components/energy-scale/energy-scale.tsx';
import { Waiting } from '../../components/tool-page/tool-page.tsx';
import {
  diagramOfRequest,
  usePhaseDiagramOf,
  usePlacedCompound,
} from '../../features/phase-diagram/api/use-phase-diagram.ts';
import { useUnstableChoice } from '../../features/phase-diagram/api/use-unstable-choice.ts';
import { PhaseDiagramView } from '../../features/phase-diagram/components/phase-diagram-view.tsx';
import { phaseTexts } from '../../features/phase-diagram/texts.ts';
import { PredictPage } from '../../features/prediction/components/predict-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { elementsOfFormula } from '../../lib/format.ts';

/** Numbers of elements for which a diagram is drawn. */
const DRAWN = { min: 2, max: 4 } as const;

function PredictedDiagram({ result }: { readonly result: PredictionResult }) {
  const elements = elementsOfFormula(result.formula);
  if (result.hull === null || elements.length < DRAWN.min || elements.length > DRAWN.max) return null;
  return <Drawn elements={elements} result={result} />;
}

interface DrawnProps {
  readonly elements: readonly string[];
  readonly result: PredictionResult;
}

function Drawn({ elements, result: { formula, formation_energy_per_atom: energy } }: DrawnProps) {
  const { t } = useTexts(phaseTexts);
  const diagram = usePhaseDiagramOf(elements, PREDICTED_SCALE);
  const [unstableChoice, onUnstable] = useUnstableChoice();
  const { data: placed, error } = usePlacedCompound(elements.join(' '), PREDICTED_SCALE, {
    formula,
    energyPerAtom: energy.value,
    energyKind: 'formation',
  });
  if (diagram.isPending) return <Waiting>{t('loading')}</Waiting>;
  if (diagram.isError) return <ErrorPanel error={diagram.error} onRetry={() => void diagram.refetch()} />;
  return (
    <ScaleOrigin scale={diagram.data}>
      <InlineFailure error={error} />
      <PhaseDiagramView
        answer={diagram.data}
        sent={diagramOfRequest(elements, PREDICTED_SCALE)}
        scale={PREDICTED_SCALE}
        placed={placed ?? null}
        unstableChoice={unstableChoice}
        onUnstable={onUnstable}
      />
    </ScaleOrigin>
  );
}

export const Page = () => <PredictPage Diagram={PredictedDiagram} />;
