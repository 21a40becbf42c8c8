/** How to cite an entry so that others find the same numbers: entry, release of derived data, source of the data. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { type Citation, citations } from '../sources-view-model.ts';

export interface CitationContext {
  /** `https://…`, without a slash at the end. */
  readonly origin: string;
  /** Day of access, `2026-11-21`. */
  readonly accessed: string;
}

type Cited = Pick<
  MaterialDetail,
  'struct_id' | 'formula' | 'symmetry_data' | 'run_type' | 'release' | 'source' | 'sources'
>;

export const entryAddress = ({ struct_id }: Pick<Cited, 'struct_id'>, origin: string): string =>
  `${origin}/matdatades/${struct_id}`;

/** The source of the data in a few words: `Materials Project mp-2534 (CC BY 4.0)`. */
export const sourceText = ({ source: { name, id, licence } }: Pick<Cited, 'source'>): string =>
  [name, id, licence && `(${licence})`].filter((part) => part !== '').join(' ');

export const releaseText = ({ release }: Pick<Cited, 'release'>): string =>
  release === null ? '' : `release ${release.id} of ${release.date.slice(0, 10)}`;

/** The entry in one sentence for a reference list. */
export function entryText(entry: Cited, { origin, accessed }: CitationContext): string {
  const { formula, struct_id, symmetry_data: symmetry } = entry;
  const name = `Unitcell entry ${struct_id}: ${formula}, space group ${symmetry.space_group} (${symmetry.space_group_number})`;
  const parts = [name, releaseText(entry), `data from ${sourceText(entry)}`].filter((part) => part !== '');
  return `${parts.join('; ')}. ${entryAddress(entry, origin)} (accessed ${accessed}).`;
}

/** A source in one line: the work, its address, what it stands for, and whether that was looked up. */
export const workText = ({ text, url, sections, isUnchecked }: Citation): string =>
  `${text}. ${url === null ? '' : `${url} `}[${sections.join(', ').replaceAll('_', ' ')}${isUnchecked ? '; citation not checked' : ''}]`;

/** The entry and every source once. */
export const citationText = (entry: Cited, context: CitationContext): string =>
  [entryText(entry, context), ...citations(entry).map(workText)].join('\n');

/** Signs BibTeX takes for commands. */
const SPECIAL = /[\\{}$&#^_~%]/g;
const escaped = (text: string): string =>
  text.replace(SPECIAL, (sign) => {
    if (sign === '\\') return '\\textbackslash{}';
    if (sign === '^' || sign === '~') return `\\${sign}{}`;
    return `\\${sign}`;
  });

const record = (kind: string, key: string, fields: readonly string[]): string =>
  `@${kind}{${key},\n${fields.map((field) => `  ${field}`).join(',\n')}\n}`;

export function entryBibtex(entry: Cited, { origin, accessed }: CitationContext): string {
  const { formula, struct_id, symmetry_data: symmetry, run_type: functional } = entry;
  const notes = [
    releaseText(entry),
    functional && `energies ${functional}`,
    `data from ${sourceText(entry)}`,
  ];
  const key = `unitcell-${struct_id}${entry.release ? `-r${entry.release.id}` : ''}`;
  return record('misc', key, [
    `title = {{${escaped(formula)}, space group ${escaped(symmetry.space_group)} (${symmetry.space_group_number}), entry ${struct_id}}}`,
    'author = {{Unitcell}}',
    `year = {${(entry.release?.date ?? accessed).slice(0, 4)}}`,
    `url = {${entryAddress(entry, origin)}}`,
    `urldate = {${accessed}}`,
    `note = {${escaped(notes.filter((note) => note !== '').join('; '))}}`,
  ]);
}

/** `Authors, Journal 12, 345 (1999)` */
const ARTICLE = /^(.+?), ([^,]+?) (\d+), (\w+) \((\d{4})\)(?:, from (.+))?$/;

/** `Grimsditch & Ramdas`, `McNeil, Grimsditch & French`, `Tang et al.`: as BibTeX separates authors. */
const authorsOf = (names: string): string =>
  names
    .replace(/ et al\.?$/, ', others')
    .split(/, | & /)
    .map((name) => (name === 'others' ? name : escaped(name)))
    .join(' and ');

export function workBibtex(citation: Citation, number: number): string {
  const { text, url, sections, isUnchecked } = citation;
  const note = `${sections.join(', ').replaceAll('_', ' ')}${isUnchecked ? '; citation not checked' : ''}`;
  const doi = url?.startsWith('https://doi.org/') ? url.slice('https://doi.org/'.length) : null;
  const where = doi === null ? (url === null ? [] : [`url = {${url}}`]) : [`doi = {${doi}}`];
  const [, authors, journal, volume, pages, year, from = ''] = ARTICLE.exec(text) ?? [];
  if (!authors || !journal)
    return record('misc', `unitcell-source-${number}`, [
      `title = {{${escaped(text)}}}`,
      ...where,
      `note = {${escaped(note)}}`,
    ]);
  const surname = (authors.split(/[ ,&]/)[0] ?? '').replaceAll(/[^A-Za-z]/g, '');
  return record('article', `${surname}${year}-${volume}-${pages}`, [
    `author = {${authorsOf(authors)}}`,
    `journal = {${escaped(journal)}}`,
    `volume = {${volume}}`,
    `pages = {${pages}}`,
    `year = {${year}}`,
    ...where,
    `note = {${escaped(from === '' ? note : `${note}; from ${from}`)}}`,
  ]);
}

/** The entry and every source once. */
export const citationBibtex = (entry: Cited, context: CitationContext): string =>
  [
    entryBibtex(entry, context),
    ...citations(entry).map((citation, index) => workBibtex(citation, index + 1)),
  ].join('\n\n');
