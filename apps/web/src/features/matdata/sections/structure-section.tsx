/** The crystal and its files. The conventional cell is drawn: it shows the symmetry. */
import { fromPymatgenDict } from '@unitcell/crystal';
import { useMemo } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { repeatsFor } from '../../../viz/crystal-viewer/scene.ts';
import { DownloadMenu } from '../components/download-menu.tsx';
import { detailTexts } from '../detail-texts.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { SourcedSection } from './sourced-section.tsx';

const title = { en: 'Crystal Structure', zh: '晶体结构' };

function StructureSection({ material }: MaterialSectionProps) {
  const { language } = useTexts(detailTexts);
  const structure = useMemo(() => fromPymatgenDict(material.structures.conventional), [material]);
  return (
    <SourcedSection
      material={material}
      of={['structure']}
      id="structure"
      title={title[language]}
      tools={<DownloadMenu material={material} />}
    >
      <CrystalViewer
        structure={structure}
        formula={material.formula}
        repeats={repeatsFor(structure.sites.length)}
      />
    </SourcedSection>
  );
}

export const structureSection: MaterialSection = { id: 'structure', title, Component: StructureSection };
