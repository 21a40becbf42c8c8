import { IconChevronDown, IconDownload, IconLink } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { MenuButton } from '../../../components/menu-button.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { downloadBlob, downloadText } from '../../../lib/download.ts';
import { pngWithOrigin, svgWithOrigin } from '../../../lib/file-origin.ts';
import { notify } from '../../../lib/notify.ts';
import { bandsCsv, modelJson, pythTbScript, tightBindingOrigin } from '../exports.ts';
import type { BandsAnswer, ModelSettings } from '../solver/messages.ts';
import { tightBindingTexts } from '../texts.ts';
import { pngOf, svgText } from '../view/picture.ts';
import classes from '../tight-binding.module.css';

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
  const actions = () => [
    {
      label: t('exportCsv'),
      onClick: () => downloadText(`${id}-bands.csv`, bandsCsv(answer, origin()), 'text/csv'),
    },
    { label: t('exportSvg'), onClick: () => saveSvg(`${id}-bands.svg`, chart.current) },
    { label: t('exportPng'), onClick: () => void savePng() },
    { label: t('exportLattice'), onClick: () => saveSvg(`${id}-lattice.svg`, lattice.current) },
    {
      label: t('exportCif'),
      isDisabled: cif === undefined,
      onClick: () => downloadText(`${id}.cif`, cif ?? '', 'chemical/x-cif'),
    },
    {
      label: t('exportJson'),
      onClick: () => downloadText(`${id}-model.json`, modelJson(model, origin()), 'application/json'),
    },
    {
      label: t('exportPython'),
      onClick: () => downloadText(`${id}_pythtb.py`, pythTbScript(model, origin()), 'text/x-python'),
    },
  ];
  return (
    <div className={classes.tools}>
      <button type="button" className={classes.button} onClick={() => void copyLink()}>
        <IconLink size={16} aria-hidden="true" /> {t('copyLink')}
      </button>
      <MenuButton className={classes.button} actions={actions}>
        <IconDownload size={16} aria-hidden="true" /> {t('export')}
        <IconChevronDown size={15} aria-hidden="true" />
      </MenuButton>
    </div>
  );
}
