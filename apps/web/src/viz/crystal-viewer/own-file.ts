/** Reads a visitor's CIF, POSCAR or pymatgen JSON in the browser: returns the crystal, or why it failed, in words. */
import {
  type CrystalReason,
  CrystalError,
  fromPymatgenDict,
  MAX_READ_SITES,
  readStructureText,
  type Structure,
  structureFormat,
} from '@unitcell/crystal';
import type { Translate } from '../../i18n/texts.ts';
import type { viewerTexts } from './texts.ts';

/** No drawing needs a larger file, and reading one would freeze the page. */
export const MAX_FILE_BYTES = 1_000_000;

type T = Translate<(typeof viewerTexts)['en']>;

type What = 'whatNumber' | 'whatAtoms' | 'whatEnds';
const WHAT: Partial<Record<CrystalReason, What>> = {
  'poscar-missing-numbers': 'whatNumber',
  'poscar-no-number': 'whatNumber',
  'poscar-scale-count': 'whatNumber',
  'poscar-bad-count': 'whatNumber',
  'cif-no-number': 'whatNumber',
  'cif-bad-coordinate': 'whatNumber',
  'cif-bad-occupancy': 'whatNumber',
  'volume-no-number': 'whatNumber',
  'volume-bad-grid': 'whatNumber',
  'poscar-no-counts': 'whatAtoms',
  'poscar-counts-differ': 'whatAtoms',
  'poscar-no-atoms': 'whatAtoms',
  'poscar-unnamed-elements': 'whatAtoms',
  'cif-no-atoms': 'whatAtoms',
  'cif-missing-column': 'whatAtoms',
  'cif-no-positions': 'whatAtoms',
  'cif-unnamed-atom': 'whatAtoms',
  'cif-no-crystal': 'whatAtoms',
  'file-ends': 'whatEnds',
  'volume-values-missing': 'whatEnds',
  'cif-open-text': 'whatEnds',
  'cif-open-quotation': 'whatEnds',
  'cif-incomplete-row': 'whatEnds',
};
const CELLS: ReadonlySet<CrystalReason> = new Set([
  'flat-cell',
  'cell-in-plane',
  'cif-bad-cell',
  'cell-too-long',
]);
const ELEMENTS: ReadonlySet<CrystalReason> = new Set([
  'cif-unknown-element',
  'poscar-unknown-element',
  'volume-unknown-element',
]);
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
  if (CELLS.has(reason)) return t('badCell');
  const { found } = parameters;
  if (ELEMENTS.has(reason)) return t('badElement', { found: typeof found === 'string' ? found : '', place });
  const what = t(WHAT[reason] ?? (SYMMETRY.test(reason) ? 'whatSymmetry' : 'whatOther'));
  return t('badFile', { format, place, what });
}

/** Why a JSON file was refused: it is not valid JSON, or it differs from the pymatgen format at a stated place. */
function jsonRefusal(error: unknown, t: T): string {
  if (!(error instanceof CrystalError)) return t('badJson');
  const { path } = error.parameters;
  return error.reason === 'structure-json'
    ? t('badStructureJson', { path: typeof path === 'string' ? path : '' })
    : refusalText(error, 'JSON', t);
}

export type OwnFile = { readonly name: string; readonly structure: Structure } | { readonly problem: string };

const isJson = (text: string): boolean => text.trimStart().startsWith('{');

/** The first crystal in a text. A JSON may contain it under `structure`, as in entries of the Materials Project. */
function structureIn(text: string, name: string): Structure | undefined {
  if (!isJson(text)) return readStructureText(text, name).structures[0]?.structure;
  const json = JSON.parse(text) as { readonly structure?: unknown };
  return fromPymatgenDict(json.structure ?? json);
}

export async function readOwnFile(file: File, t: T): Promise<OwnFile> {
  if (file.size > MAX_FILE_BYTES) return { problem: t('tooLargeFile', { limit: MAX_FILE_BYTES / 1000 }) };
  const text = await file.text();
  try {
    const structure = structureIn(text, file.name);
    return structure ? { name: file.name, structure } : { problem: t('notRead') };
  } catch (error) {
    if (isJson(text)) return { problem: jsonRefusal(error, t) };
    const format = structureFormat(text, file.name) === 'poscar' ? 'POSCAR' : 'CIF';
    return { problem: refusalText(error, format, t) };
  }
}
