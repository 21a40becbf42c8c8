/** The crystal and its files. The conventional cell is drawn first: it shows the symmetry. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { fromPymatgenDict } from '@unitcell/crystal';
import { useMemo } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { CrystalViewer, type ViewedCell } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { DownloadMenu } from '../download-menu.tsx';
import { detailTexts } from '../detail-texts.ts';
import { conventionalWyckoffs, primitiveWyckoffs } from '../detail-view-model.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { SourcedSection } from './sourced-section.tsx';

const title = { en: 'Crystal Structure', zh: '晶体结构' };

function cellsOf(material: MaterialDetail): readonly [ViewedCell, ...ViewedCell[]] {
  const { structures } = material;
  const [conventional, primitive] = [conventionalWyckoffs(material), primitiveWyckoffs(material)];
  return [
    {
      kind: 'conventional',
      structure: fromPymatgenDict(structures.conventional),
      ...(conventional && { wyckoffs: conventional }),
    },
    {
      kind: 'primitive',
      structure: fromPymatgenDict(structures.primitive),
      ...(primitive && { wyckoffs: primitive }),
    },
    ...(structures.given ? [{ kind: 'given', structure: fromPymatgenDict(structures.given) } as const] : []),
  ];
}

function StructureSection({ material }: MaterialSectionProps) {
  const { language } = useTexts(detailTexts);
  const [first, ...others] = useMemo(() => cellsOf(material), [material]);
  return (
    <SourcedSection
      material={material}
      of={['structure']}
      id="structure"
      title={title[language]}
      tools={<DownloadMenu material={material} />}
    >
      <CrystalViewer {...first} otherCells={others} formula={material.formula} />
    </SourcedSection>
  );
}

export const structureSection: MaterialSection = {
  id: 'structure',
  title,
  Component: StructureSection,
};
