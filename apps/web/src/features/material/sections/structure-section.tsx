/** The crystal and its files. The conventional cell is the default, because it shows the symmetry. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { fromPymatgenDict, isOrdered, writePoscar } from '@unitcell/crystal';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useDownload, useOriginFacts } from '../../../components/file-origin.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import type { MenuAction } from '../../../components/menu-list.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { originLine } from '../../../lib/file-origin.ts';
import { CrystalViewer, type ViewedCell } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { useRelaxHere } from '../../../viz/relaxation/relax-here.tsx';
import { detailTexts } from '../detail-texts.ts';
import { conventionalWyckoffs, downloadName, primitiveWyckoffs } from '../detail-view-model.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { SourcedSection } from './sourced-section.tsx';
import classes from '../material.module.css';

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

function DownloadMenu({ material }: { readonly material: MaterialDetail }) {
  const { t } = useTexts(detailTexts);
  const download = useDownload();
  const originFacts = useOriginFacts();
  const { struct_id: id, output_structs: files } = material;
  const cif = (cell: 'primitive' | 'conventional', text: string) => () =>
    downloadText(downloadName(id, cell, 'cif'), text, 'chemical/x-cif');
  const actions = (): readonly MenuAction[] => {
    const cells = {
      primitive: fromPymatgenDict(material.structures.primitive),
      conventional: fromPymatgenDict(material.structures.conventional),
    };
    const poscar = (cell: 'primitive' | 'conventional') => () =>
      downloadText(
        downloadName(id, cell, 'vasp'),
        // POSCAR has one comment line; programs read its first word as the name.
        writePoscar(cells[cell], { name: `${material.formula} | ${originLine(originFacts())}` }),
      );
    return [
      { label: t('primitiveCif'), onClick: cif('primitive', files.output_struct_primitive) },
      { label: t('conventionalCif'), onClick: cif('conventional', files.output_struct_conventional) },
      // POSCAR cannot represent shared sites.
      ...(isOrdered(cells.primitive)
        ? [
            { label: t('primitivePoscar'), onClick: poscar('primitive') },
            { label: t('conventionalPoscar'), onClick: poscar('conventional') },
          ]
        : []),
      { label: t('json'), onClick: () => download.json(`${id}.json`, material) },
    ];
  };
  return (
    <MenuButton className={classes.button} actions={actions}>
      <IconDownload size={16} aria-hidden="true" /> {t('download')}
      <IconChevronDown size={15} aria-hidden="true" />
    </MenuButton>
  );
}

function StructureSection({ material }: MaterialSectionProps) {
  const { language } = useTexts(detailTexts);
  const [first, ...others] = useMemo(() => cellsOf(material), [material]);
  const { hall, wyckoffs } = material.symmetry_data;
  const relaxing = useRelaxHere({
    name: String(material.struct_id),
    structure: first.structure,
    hall,
    wyckoffs,
  });
  return (
    <SourcedSection
      material={material}
      of={['structure']}
      id="structure"
      title={title[language]}
      tools={
        <>
          {relaxing.button}
          <DownloadMenu material={material} />
        </>
      }
    >
      {relaxing.above}
      <CrystalViewer {...first} structure={relaxing.shown} otherCells={others} formula={material.formula} />
      {relaxing.below}
    </SourcedSection>
  );
}

export const structureSection: MaterialSection = {
  id: 'structure',
  title,
  Component: StructureSection,
};
