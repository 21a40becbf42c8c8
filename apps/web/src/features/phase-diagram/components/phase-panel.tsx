/** The phase diagram around one material (spec §2.8). */
import { Link } from 'react-router-dom';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/scale-origin.tsx';
import { useScaleParameter } from '../../../components/energy-scale/scale-parameter.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { diagramOfRequest, usePhaseDiagramOf } from '../api/use-phase-diagram.ts';
import { phaseTexts } from '../texts.ts';
import { diagramPath, potentialsPath, stableCompound } from '../view-model.ts';
import { PhaseDiagramView } from './phase-diagram-view.tsx';
import classes from '../phase-diagram.module.css';

interface PhasePanelProps {
  readonly elements: readonly string[];
  readonly structId: number;
}

export function PhasePanel({ elements, structId }: PhasePanelProps) {
  const { t } = useTexts(phaseTexts);
  const [scale, setScale] = useScaleParameter();
  const diagram = usePhaseDiagramOf(elements, scale);
  const compound = diagram.data ? stableCompound(diagram.data, structId) : null;
  return (
    <div className={classes.view}>
      <div className={classes.controls}>
        <EnergyScaleSelect scale={scale} onChange={setScale} />
        <div className={classes.links}>
          <Link to={diagramPath(elements, scale)}>{t('openPage')}</Link>
          {compound !== null && (
            <Link to={potentialsPath(elements, scale, compound)}>
              {t('potentialsOf', { formula: formulaText(compound) })}
            </Link>
          )}
        </div>
      </div>
      {diagram.isPending && <Waiting>{t('loading')}</Waiting>}
      {diagram.isError && <ErrorPanel error={diagram.error} onRetry={() => void diagram.refetch()} />}
      {diagram.isSuccess && (
        <ScaleOrigin scale={diagram.data}>
          <PhaseDiagramView
            key={diagram.data.functional}
            answer={diagram.data}
            sent={diagramOfRequest(elements, scale)}
            scale={scale}
            ownId={structId}
          />
        </ScaleOrigin>
      )}
    </div>
  );
}
