/** Files of a material. */
import { Menu } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract';
import { fromPymatgenDict, isOrdered, writePoscar } from '@unitcell/crystal';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { useDownload, useOriginFacts } from '../../../components/file-origin.tsx';
import { downloadText } from '../../../lib/download.ts';
import { originLine } from '../../../lib/file-origin.ts';
import { detailTexts } from '../detail-texts.ts';
import { downloadName } from '../detail-view-model.ts';
import classes from './download-menu.module.css';

export function DownloadMenu({ material }: { readonly material: MaterialDetail }) {
  const { t } = useTexts(detailTexts);
  const download = useDownload();
  const originFacts = useOriginFacts();
  const { struct_id: id, output_structs: files } = material;
  const cif = (cell: 'primitive' | 'conventional', text: string) => () =>
    downloadText(downloadName(id, cell, 'cif'), text, 'chemical/x-cif');
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
  return (
    <Menu position="bottom-end" shadow="sm" withinPortal={false}>
      <Menu.Target>
        <button type="button" className={classes.button}>
          <IconDownload size={16} aria-hidden="true" /> {t('download')}
          <IconChevronDown size={15} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={cif('primitive', files.output_struct_primitive)}>{t('primitiveCif')}</Menu.Item>
        <Menu.Item onClick={cif('conventional', files.output_struct_conventional)}>
          {t('conventionalCif')}
        </Menu.Item>
        {/* A POSCAR cannot say that a site is shared. */}
        {isOrdered(cells.primitive) && (
          <>
            <Menu.Item onClick={poscar('primitive')}>{t('primitivePoscar')}</Menu.Item>
            <Menu.Item onClick={poscar('conventional')}>{t('conventionalPoscar')}</Menu.Item>
          </>
        )}
        <Menu.Item onClick={() => download.json(`${id}.json`, material)}>{t('json')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
