/** The crystal and its files. The conventional cell is drawn: it shows the symmetry. */
import { fromPymatgenDict } from '@unitcell/crystal';
import { useMemo } from 'react';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { repeatsFor } from '../../../viz/crystal-viewer/scene.ts';
import { DownloadMenu } from '../components/download-menu.tsx';
import { detailTexts } from '../detail-texts.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';

const title = { en: 'Crystal Structure', zh: '晶体结构' };

function StructureSection({ material }: MaterialSectionProps) {
  const { language } = useTexts(detailTexts);
  const structure = useMemo(() => fromPymatgenDict(material.structures.conventional), [material]);
  return (
    <Section id="structure" title={title[language]} tools={<DownloadMenu material={material} />}>
      <CrystalViewer
        structure={structure}
        formula={material.formula}
        repeats={repeatsFor(structure.sites.length)}
      />
    </Section>
  );
}

export const structureSection: MaterialSection = { id: 'structure', title, Component: StructureSection };
