/** Phase Diagram of the material page: shown for two to four elements (spec §2.8). */
import { Link } from 'react-router-dom';
import { EnergyScaleSelect } from '../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin, useScaleParameter } from '../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel } from '../../components/failure.tsx';
import { formulaText } from '../../components/formula.tsx';
import { Waiting } from '../../components/tool-page/tool-page.tsx';
import type { MaterialSection, MaterialSectionProps } from '../../features/material/material-section.ts';
import { SourcedSection } from '../../features/material/sections/sourced-section.tsx';
import { diagramOfRequest, usePhaseDiagramOf } from '../../features/phase-diagram/api/use-phase-diagram.ts';
import { useUnstableChoice } from '../../features/phase-diagram/api/use-unstable-choice.ts';
import { PhaseDiagramView } from '../../features/phase-diagram/components/phase-diagram-view.tsx';
import classes from '../../features/phase-diagram/phase-diagram.module.css';
import { phaseTexts } from '../../features/phase-diagram/texts.ts';
import { diagramPath, potentialsPath, stableCompound } from '../../features/phase-diagram/view-model.ts';
import { useTexts } from '../../i18n/texts.ts';

interface PhasePanelProps {
  readonly elements: readonly string[];
  readonly structId: number;
}

/** The phase diagram around one material (spec §2.8). */
function PhasePanel({ elements, structId }: PhasePanelProps) {
  const { t } = useTexts(phaseTexts);
  const [scale, setScale] = useScaleParameter();
  const diagram = usePhaseDiagramOf(elements, scale);
  const [unstableChoice, onUnstable] = useUnstableChoice();
  const compound = diagram.data ? stableCompound(diagram.data, structId) : null;
  return (
    <div className={classes.view}>
      <div className={`uc-row ${classes.controls}`}>
        <EnergyScaleSelect scale={scale} onChange={setScale} />
        <div className={`uc-wrap ${classes.links}`}>
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
            unstableChoice={unstableChoice}
            onUnstable={onUnstable}
          />
        </ScaleOrigin>
      )}
    </div>
  );
}

const title = { en: 'Phase Diagram', zh: '相图' };

function PhaseSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(phaseTexts);
  return (
    <SourcedSection
      material={material}
      of={['phase_diagram']}
      id="phase-diagram"
      title={title[language]}
      lead={t('panelLead')}
    >
      <PhasePanel elements={material.elements} structId={material.struct_id} />
    </SourcedSection>
  );
}

export const phaseSection: MaterialSection = {
  id: 'phase-diagram',
  title,
  isPresent: ({ nelements }) => nelements >= 2 && nelements <= 4,
  Component: PhaseSection,
};
