import { IconChevronDown, IconDownload, IconLink } from '@tabler/icons-react';
import { kPathCorners, toModelJson, toPythTbScript } from '@unitcell/tight-binding';
import type { RefObject } from 'react';
import { MenuButton } from '../../../components/menu-button.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { downloadBlob, downloadText, toCsv } from '../../../lib/download.ts';
import { drawingPng, drawingText } from '../../../lib/drawing-file.ts';
import { today } from '../../../lib/format.ts';
import {
  csvWithOrigin,
  jsonWithOrigin,
  type OriginFact,
  originLine,
  pngWithOrigin,
  svgWithOrigin,
} from '../../../lib/file-origin.ts';
import { notify } from '../../../lib/notify.ts';
import type { BandsAnswer, ModelSettings } from '../solver/messages.ts';
import { modelOf } from '../solver/solve.ts';
import { tightBindingTexts } from '../texts.ts';
import classes from '../tight-binding.module.css';

/**
 * The header of an exported file: the model, the method, and how to cite it.
 * @param link address that restores the state
 * @param day `2026-11-22`
 */
export function tightBindingOrigin(
  { net, t1, t2, onsite, rule, fluxRad }: ModelSettings,
  link: string,
  day: string,
): readonly OriginFact[] {
  const name = `Unitcell tight-binding model of the plane net ${net.id} (${net.planeGroup})`;
  const second =
    t2 === 0
      ? 't2 = 0'
      : `t2 = ${t2} (second neighbours by ${rule}), Haldane flux ${Number(((fluxRad * 180) / Math.PI).toFixed(6))} degrees`;
  return [
    ['entry', name],
    ['address', link],
    [
      'source',
      'calculated here in the browser from the parameters alone: no measurement, no first-principles result',
    ],
    [
      'model',
      `one orbital per site, no spin; energies in |t|: t1 = ${t1}, ${second}, on-site energies of ${net.orbits.map(({ symbol }, orbit) => `${symbol} ${onsite[orbit] ?? 0}`).join(', ')}`,
    ],
    ['method', 'Bloch Hamiltonian diagonalised along the k-path; docs/methods/tight-binding.md'],
    ['cite', `${name}, t1 = ${t1}, ${second}. ${link} (accessed ${day}).`],
    ['downloaded', day],
  ];
}

/** One row per k-point: distance, fractional k, label at corners, and all bands. */
export function bandsCsv(
  { kDist, kPoints, bands, hspNodes, hspLabels }: BandsAnswer,
  origin: readonly OriginFact[],
): string {
  const header = ['k_dist', 'k1', 'k2', 'label', ...bands.map((_, band) => `band ${band + 1}`)];
  const labelAt = (k: number): string =>
    hspLabels[hspNodes.findIndex((node) => Math.abs(node - k) < 1e-9)] ?? '';
  const rows = kDist.map((k, point) => [
    k,
    ...(kPoints[point] ?? []),
    labelAt(k),
    ...bands.map((band) => band[point]),
  ]);
  return csvWithOrigin(toCsv(header, rows), origin);
}

export const modelJson = (settings: ModelSettings, origin: readonly OriginFact[]): string =>
  jsonWithOrigin(JSON.parse(toModelJson(modelOf(settings))) as object, origin);

export const pythTbScript = (settings: ModelSettings, origin: readonly OriginFact[]): string =>
  [
    ...origin.map((fact) => `# ${fact[0]}: ${originLine([fact])}`),
    toPythTbScript(modelOf(settings), kPathCorners(settings.net.planeGroup, settings.net.latticeVectors)),
  ].join('\n');

/** Pixels of a saved image per pixel on the screen. */
const PIXELS_PER_DOT = 2;

const groundOf = (svg: SVGSVGElement): string =>
  getComputedStyle(svg).getPropertyValue('--uc-surface').trim();

interface ExportMenuProps {
  readonly model: ModelSettings;
  readonly answer: BandsAnswer;
  /** CIF text, once loaded from the server. */
  readonly cif: string | undefined;
  readonly chart: RefObject<SVGSVGElement | null>;
  readonly lattice: RefObject<SVGSVGElement | null>;
  /** Address that restores the state. */
  readonly link: () => string;
}

export function ExportMenu({ model, answer, cif, chart, lattice, link }: ExportMenuProps) {
  const { t } = useTexts(tightBindingTexts);
  const { id } = model.net;
  const origin = () => tightBindingOrigin(model, link(), today());
  const saveSvg = (name: string, svg: SVGSVGElement | null): void => {
    if (!svg) return;
    const text = drawingText(svg, svg.getBoundingClientRect(), groundOf(svg));
    downloadText(name, svgWithOrigin(text, origin()), 'image/svg+xml');
  };
  const savePng = async (): Promise<void> => {
    try {
      const svg = chart.current;
      if (!svg) return;
      const picture = await drawingPng(svg, svg.getBoundingClientRect(), PIXELS_PER_DOT, groundOf(svg));
      const file = new Uint8Array(pngWithOrigin(new Uint8Array(await picture.arrayBuffer()), origin()));
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
    <div className="uc-wrap">
      <button type="button" className={`uc-button ${classes.button}`} onClick={() => void copyLink()}>
        <IconLink size={16} aria-hidden="true" /> {t('copyLink')}
      </button>
      <MenuButton className={`uc-button ${classes.button}`} actions={actions}>
        <IconDownload size={16} aria-hidden="true" /> {t('export')}
        <IconChevronDown size={15} aria-hidden="true" />
      </MenuButton>
    </div>
  );
}
