/** Files of a material. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { fromPymatgenDict, isOrdered, writePoscar } from '@unitcell/crystal';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { useDownload, useOriginFacts } from '../../components/file-origin.tsx';
import { type MenuAction, MenuButton } from '../../components/menu-button.tsx';
import { downloadText } from '../../lib/download.ts';
import { originLine } from '../../lib/file-origin.ts';
import { detailTexts } from './detail-texts.ts';
import { downloadName } from './detail-view-model.ts';
import classes from './download-menu.module.css';

export function DownloadMenu({ material }: { readonly material: MaterialDetail }) {
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
        // Its one line for words: programs take the first of them for a name.
        writePoscar(cells[cell], { name: `${material.formula} | ${originLine(originFacts())}` }),
      );
    return [
      { label: t('primitiveCif'), onClick: cif('primitive', files.output_struct_primitive) },
      { label: t('conventionalCif'), onClick: cif('conventional', files.output_struct_conventional) },
      // A POSCAR cannot say that a site is shared.
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
