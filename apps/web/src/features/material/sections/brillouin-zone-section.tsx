/** Brillouin zone. With bands it is drawn beside them, so that both mark the same k-point; otherwise it is a section of its own. */
import { currentLanguage } from '../../../i18n/i18n.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { holderOfZone } from './bands-section.tsx';
import { SourcedSection } from './sourced-section.tsx';
import { BrillouinZonePanel } from './brillouin-zone-panel.tsx';

const title = { en: 'Brillouin Zone', zh: '布里渊区' };

function BrillouinZoneSection({ material }: MaterialSectionProps) {
  return (
    <SourcedSection
      material={material}
      of={['symmetry']}
      id="brillouin-zone"
      title={title[currentLanguage()]}
    >
      <BrillouinZonePanel material={material} />
    </SourcedSection>
  );
}

export const brillouinZoneSection: MaterialSection = {
  id: 'brillouin-zone',
  title,
  within: holderOfZone,
  Component: BrillouinZoneSection,
};
