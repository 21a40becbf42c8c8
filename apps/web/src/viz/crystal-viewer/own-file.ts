/** A visitor's own CIF or POSCAR, read in the browser: the crystal in it, or why not, in words. */
import {
  type CrystalReason,
  CrystalError,
  MAX_READ_SITES,
  readStructureText,
  type Structure,
  structureFormat,
} from '@unitcell/crystal';
import type { Translate } from '../../i18n/texts.ts';
import type { viewerTexts } from './texts.ts';

/** More than a drawing needs; reading it would make the page wait. */
export const MAX_FILE_BYTES = 1_000_000;

type T = Translate<(typeof viewerTexts)['en']>;

const NUMBERS: readonly CrystalReason[] = [
  'poscar-missing-numbers',
  'poscar-no-number',
  'poscar-scale-count',
  'poscar-bad-count',
  'cif-no-number',
  'cif-bad-coordinate',
  'cif-bad-occupancy',
];
const ATOMS: readonly CrystalReason[] = [
  'poscar-no-counts',
  'poscar-counts-differ',
  'poscar-no-atoms',
  'poscar-unnamed-elements',
  'cif-no-atoms',
  'cif-missing-column',
  'cif-no-positions',
  'cif-unnamed-atom',
  'cif-no-crystal',
];
const ENDS: readonly CrystalReason[] = ['file-ends', 'cif-open-text', 'cif-open-quotation', 'cif-incomplete-row'];
const CELLS: readonly CrystalReason[] = ['flat-cell', 'cell-in-plane', 'cif-bad-cell', 'cell-too-long'];
const SYMMETRY = /^cif-(?:.*(?:operation|hall|space-group)|own-axes)/;

/** Why a file was refused. */
export function refusalText(error: unknown, format: string, t: T): string {
  if (!(error instanceof CrystalError)) return t('notRead');
  const { reason, line, parameters } = error;
  const place = line === undefined ? '' : t('atLine', { line });
  if (reason === 'empty-file') return t('emptyFile');
  if (reason === 'unknown-format') return t('unknownFormat');
  if (reason === 'too-many-sites') return t('tooManySites', { limit: MAX_READ_SITES });
  if (reason === 'text-too-long') return t('tooLargeFile', { limit: MAX_FILE_BYTES / 1000 });
  if (CELLS.includes(reason)) return t('badCell');
  if (reason === 'cif-unknown-element' || reason === 'poscar-unknown-element')
    return t('badElement', { found: String(parameters['found'] ?? ''), place });
  const what = NUMBERS.includes(reason)
    ? t('whatNumber')
    : ATOMS.includes(reason)
      ? t('whatAtoms')
      : ENDS.includes(reason)
        ? t('whatEnds')
        : SYMMETRY.test(reason)
          ? t('whatSymmetry')
          : t('whatOther');
  return t('badFile', { format, place, what });
}

export type OwnFile = { readonly name: string; readonly structure: Structure } | { readonly problem: string };

export async function readOwnFile(file: File, t: T): Promise<OwnFile> {
  if (file.size > MAX_FILE_BYTES) return { problem: t('tooLargeFile', { limit: MAX_FILE_BYTES / 1000 }) };
  const text = await file.text();
  try {
    const [first] = readStructureText(text, file.name).structures;
    return first ? { name: file.name, structure: first.structure } : { problem: t('notRead') };
  } catch (error) {
    const format = structureFormat(text, file.name) === 'poscar' ? 'POSCAR' : 'CIF';
    return { problem: refusalText(error, format, t) };
  }
}
