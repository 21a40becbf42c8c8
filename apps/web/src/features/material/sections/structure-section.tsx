/** The crystal and its files. The conventional cell is the default, because it shows the symmetry. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { fromPymatgenDict, isOrdered, type Structure, writePoscar } from '@unitcell/crystal';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { Skeleton } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { PanelBoundary } from '../../../components/failure.tsx';
import { useDownload, useOriginFacts } from '../../../components/file-origin.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import type { MenuAction } from '../../../components/menu-list.tsx';
import { useTexts, defineTexts } from '../../../i18n/texts.ts';
import { downloadText } from '../../../lib/download.ts';
import { originLine } from '../../../lib/file-origin.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { CrystalViewer, type ViewedCell } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { detailTexts } from '../detail-texts.ts';
import { conventionalWyckoffs, downloadName, primitiveWyckoffs } from '../detail-view-model.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { SourcedSection } from './sourced-section.tsx';
import classes from '../material.module.css';
import { outOfScope } from '@unitcell/potential';

const RelaxPanel = lazyPart(async () => (await import('../relax/relax-panel.tsx')).RelaxPanel);

const title = { en: 'Crystal Structure', zh: '晶体结构' };

/** px */
const PANEL_HEIGHT = 120;

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
  const [isRelaxing, setRelaxing] = useState(false);
  const [below, setBelow] = useState<HTMLElement | null>(null);
  const [moved, setMoved] = useState<Structure | null>(null);
  // Skip steps that arrive faster than they can be drawn.
  const shown = useDeferredValue(moved) ?? first.structure;
  return (
    <SourcedSection
      material={material}
      of={['structure']}
      id="structure"
      title={title[language]}
      tools={
        <>
          <RelaxButton
            structure={first.structure}
            isOpen={isRelaxing}
            onToggle={() => setRelaxing(!isRelaxing)}
          />
          <DownloadMenu material={material} />
        </>
      }
    >
      {isRelaxing && (
        <PanelBoundary waiting={<Skeleton height={PANEL_HEIGHT} mb="md" />}>
          <RelaxPanel material={material} start={first.structure} below={below} onShow={setMoved} />
        </PanelBoundary>
      )}
      <CrystalViewer {...first} structure={shown} otherCells={others} formula={material.formula} />
      {isRelaxing && <div ref={setBelow} />}
    </SourcedSection>
  );
}

export const structureSection: MaterialSection = {
  id: 'structure',
  title,
  Component: StructureSection,
};

// ── Opens the relaxation of a crystal, or explains why it is unavailable ──

const relaxTexts = defineTexts('relax', {
  en: {
    relax: 'Relax here',
    noDisordered: 'No relaxing here: sites are shared by elements or partly vacant.',
    noElement: 'No relaxing here: the potential has no weights for {{element}}.',
    noSize: 'No relaxing here: the conventional cell has {{atoms}} atoms, more than {{limit}}.',
  },
  zh: {
    relax: '在此弛豫',
    noDisordered: '无法在此弛豫：有位置由多种元素共占或部分空缺。',
    noElement: '无法在此弛豫：该势函数没有 {{element}} 的参数。',
    noSize: '无法在此弛豫：惯用晶胞有 {{atoms}} 个原子，超过 {{limit}} 个。',
  },
});

/** Larger cells would take minutes in a browser. */
const MAX_ATOMS = 200;

interface RelaxButtonProps {
  /** The cell to relax. */
  readonly structure: Structure;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function RelaxButton({ structure, isOpen, onToggle }: RelaxButtonProps) {
  const { t } = useTexts(relaxTexts);
  const refusal = outOfScope(structure, MAX_ATOMS);
  if (refusal?.code === 'disordered') return <span className={classes.noRelax}>{t('noDisordered')}</span>;
  if (refusal?.code === 'unknown-element')
    return <span className={classes.noRelax}>{t('noElement', { element: refusal.element })}</span>;
  if (refusal)
    return <span className={classes.noRelax}>{t('noSize', { atoms: refusal.atoms, limit: MAX_ATOMS })}</span>;
  return (
    <button type="button" className={classes.button} aria-expanded={isOpen} onClick={onToggle}>
      {t('relax')}
    </button>
  );
}
