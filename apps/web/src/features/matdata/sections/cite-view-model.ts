/** How to cite an entry so that others find the same numbers: entry, release of derived data, source of the data. */
import type { MaterialDetail } from '@unitcell/contract';

export interface CitationContext {
  /** `https://…`, without a slash at the end. */
  readonly origin: string;
  /** Day of access, `2026-11-21`. */
  readonly accessed: string;
}

type Cited = Pick<
  MaterialDetail,
  'struct_id' | 'formula' | 'symmetry_data' | 'run_type' | 'release' | 'source'
>;

export const entryAddress = ({ struct_id }: Pick<Cited, 'struct_id'>, origin: string): string =>
  `${origin}/matdatades/${struct_id}`;

/** The source of the data in a few words: `Materials Project mp-2534 (CC BY 4.0)`. */
export const sourceText = ({ source: { name, id, licence } }: Pick<Cited, 'source'>): string =>
  [name, id, licence && `(${licence})`].filter((part) => part !== '').join(' ');

export const releaseText = ({ release }: Pick<Cited, 'release'>): string =>
  release === null ? '' : `release ${release.id} of ${release.date.slice(0, 10)}`;

/** One sentence for a reference list. */
export function citationText(entry: Cited, { origin, accessed }: CitationContext): string {
  const { formula, struct_id, symmetry_data: symmetry } = entry;
  const name = `Unitcell entry ${struct_id}: ${formula}, space group ${symmetry.space_group} (${symmetry.space_group_number})`;
  const parts = [name, releaseText(entry), `data from ${sourceText(entry)}`].filter((part) => part !== '');
  return `${parts.join('; ')}. ${entryAddress(entry, origin)} (accessed ${accessed}).`;
}

/** Signs BibTeX takes for commands. */
const SPECIAL = /[\\{}$&#^_~%]/g;
const escaped = (text: string): string =>
  text.replace(SPECIAL, (sign) => {
    if (sign === '\\') return '\\textbackslash{}';
    if (sign === '^' || sign === '~') return `\\${sign}{}`;
    return `\\${sign}`;
  });

export function citationBibtex(entry: Cited, { origin, accessed }: CitationContext): string {
  const { formula, struct_id, symmetry_data: symmetry, run_type: functional } = entry;
  const notes = [
    releaseText(entry),
    functional && `energies ${functional}`,
    `data from ${sourceText(entry)}`,
  ];
  const fields = [
    `title = {{${escaped(formula)}, space group ${escaped(symmetry.space_group)} (${symmetry.space_group_number}), entry ${struct_id}}}`,
    'author = {{Unitcell}}',
    `year = {${(entry.release?.date ?? accessed).slice(0, 4)}}`,
    `url = {${entryAddress(entry, origin)}}`,
    `urldate = {${accessed}}`,
    `note = {${escaped(notes.filter((note) => note !== '').join('; '))}}`,
  ];
  const key = `unitcell-${struct_id}${entry.release ? `-r${entry.release.id}` : ''}`;
  return `@misc{${key},\n${fields.map((field) => `  ${field}`).join(',\n')}\n}`;
}
