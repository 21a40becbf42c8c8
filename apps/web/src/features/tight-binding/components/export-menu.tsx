import { Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconLink } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { downloadBlob, downloadText } from '../../../lib/download.ts';
import { pngWithOrigin, svgWithOrigin } from '../../../lib/file-origin.ts';
import { notify } from '../../../lib/notify.ts';
import { bandsCsv, modelJson, pythTbScript, tightBindingOrigin } from '../exports.ts';
import type { BandsAnswer, ModelSettings } from '../solver/messages.ts';
import { tightBindingTexts } from '../texts.ts';
import { pngOf, svgText } from '../view/picture.ts';
import classes from './export-menu.module.css';

interface ExportMenuProps {
  readonly model: ModelSettings;
  readonly answer: BandsAnswer;
  /** CIF text, once the server has sent it. */
  readonly cif: string | undefined;
  readonly chart: RefObject<SVGSVGElement | null>;
  readonly lattice: RefObject<SVGSVGElement | null>;
  /** Address of the state. */
  readonly link: () => string;
}

export function ExportMenu({ model, answer, cif, chart, lattice, link }: ExportMenuProps) {
  const { t } = useTexts(tightBindingTexts);
  const { id } = model.net;
  const origin = () => tightBindingOrigin(model, link(), new Date().toISOString().slice(0, 10));
  const saveSvg = (name: string, svg: SVGSVGElement | null): void => {
    if (svg) downloadText(name, svgWithOrigin(svgText(svg), origin()), 'image/svg+xml');
  };
  const savePng = async (): Promise<void> => {
    try {
      if (!chart.current) return;
      const png = new Uint8Array(await (await pngOf(chart.current)).arrayBuffer());
      const file = new Uint8Array(pngWithOrigin(png, origin()));
      downloadBlob(`${id}-bands.png`, new Blob([file], { type: 'image/png' }));
    } catch (error) {
      notify('error', t('exportFailed', { message: error instanceof Error ? error.message : String(error) }));
    }
  };
  const copyLink = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link());
      notify('success', t('copied'));
    } catch {
      notify('warning', t('notCopied'));
    }
  };
  return (
    <div className={classes.tools}>
      <button type="button" className={classes.button} onClick={() => void copyLink()}>
        <IconLink size={16} aria-hidden="true" /> {t('copyLink')}
      </button>
      <Menu position="bottom-end" shadow="sm" withinPortal={false}>
        <Menu.Target>
          <button type="button" className={classes.button}>
            <IconDownload size={16} aria-hidden="true" /> {t('export')}
            <IconChevronDown size={15} aria-hidden="true" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => downloadText(`${id}-bands.csv`, bandsCsv(answer, origin()), 'text/csv')}>
            {t('exportCsv')}
          </Menu.Item>
          <Menu.Item onClick={() => saveSvg(`${id}-bands.svg`, chart.current)}>{t('exportSvg')}</Menu.Item>
          <Menu.Item onClick={() => void savePng()}>{t('exportPng')}</Menu.Item>
          <Menu.Item onClick={() => saveSvg(`${id}-lattice.svg`, lattice.current)}>
            {t('exportLattice')}
          </Menu.Item>
          <Menu.Item
            disabled={cif === undefined}
            onClick={() => downloadText(`${id}.cif`, cif ?? '', 'chemical/x-cif')}
          >
            {t('exportCif')}
          </Menu.Item>
          <Menu.Item
            onClick={() => downloadText(`${id}-model.json`, modelJson(model, origin()), 'application/json')}
          >
            {t('exportJson')}
          </Menu.Item>
          <Menu.Item
            onClick={() => downloadText(`${id}_pythtb.py`, pythTbScript(model, origin()), 'text/x-python')}
          >
            {t('exportPython')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
