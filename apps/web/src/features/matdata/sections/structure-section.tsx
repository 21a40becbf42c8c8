/** The crystal and its files. */
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { DownloadMenu } from '../components/download-menu.tsx';
import { detailTexts } from '../detail-texts.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';

const title = { en: 'Crystal Structure', zh: '晶体结构' };

function StructureSection({ material }: MaterialSectionProps) {
  const { language } = useTexts(detailTexts);
  return (
    <Section id="structure" title={title[language]} tools={<DownloadMenu material={material} />}>
      {null}
    </Section>
  );
}

export const structureSection: MaterialSection = { id: 'structure', title, Component: StructureSection };
