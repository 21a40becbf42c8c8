/** Phase Diagram of the material page: shown for two to four elements (spec §2.8). */
import type { MaterialSection, MaterialSectionProps } from '../../features/material/material-section.ts';
import { SourcedSection } from '../../features/material/sections/sourced-section.tsx';
import { PhasePanel } from '../../features/phase-diagram/components/phase-panel.tsx';
import { phaseTexts } from '../../features/phase-diagram/texts.ts';
import { useTexts } from '../../i18n/texts.ts';

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
