/** Parses a source's free-text statement: measured or calculated, functional, temperature and cited works. */
import type { MethodKey, SourceKind } from '@unitcell/contract/matdata';
import { isRecord } from '@unitcell/material';

const KINDS: readonly (readonly [SourceKind, RegExp])[] = [
  ['defined', /\bby definition\b/i],
  [
    'measured',
    /\b(measured|experiment\w*|handbook|COD \d+|literature|refined|neutron|x-ray density|calorimetr\w*|SGTE|JANAF|Landolt|USGS|NBS)\b/i,
  ],
  [
    'calculated',
    /\b(comput\w*|calculat\w*|DFT|DFPT|PBE(?:sol)?|HSE\w*|GGA|LDA|SCAN|first[- ]principles|mp-\d+|Materials Project|symmetry-indicator)\b/i,
  ],
  ['predicted', /\b(predicted|machine[- ]learn\w*|interatomic potential|generative|GNoME)\b/i],
];

/** Whether the value is commonly quoted and nobody looked it up. Such values have no kind and no work to cite. */
export const isQuoted = (statement: string): boolean => statement.includes('not looked up');

/** The source named by an entry of the provenance: a sentence, or an object with `source`. */
export function sourceOf(entry: unknown): string {
  const source = isRecord(entry) ? entry.source : entry;
  return typeof source === 'string' ? source : '';
}

/** Kinds of method; empty if the statement contains none or is quoted. A definition excludes all other kinds. */
export function kindsOf(statement: string): SourceKind[] {
  if (isQuoted(statement)) return [];
  const kinds = KINDS.filter(([, words]) => words.test(statement)).map(([kind]) => kind);
  return kinds.includes('defined') ? ['defined'] : kinds;
}

export interface MethodFact {
  readonly key: MethodKey;
  readonly value: string;
}

const FUNCTIONAL = /\b(PBE(?:sol)?(?:0|\+U)?|HSE\d*|r?2?SCAN|LDA|GGA(?:\+U)?)\b/;
const TEMPERATURE = /\b(?:(?:near |at )?\d+(?:\.\d+)? ?K\b|room temperature)/;

export function methodOf(statement: string): MethodFact[] {
  const functional = FUNCTIONAL.exec(statement)?.[1];
  const temperature = TEMPERATURE.exec(statement)?.[0].replace(/^at /, '').replace(/(\d)K/, '$1 K');
  return [
    ...(functional === undefined ? [] : [{ key: 'functional' as const, value: functional }]),
    ...(temperature === undefined ? [] : [{ key: 'temperature' as const, value: temperature }]),
  ];
}

export interface Work {
  readonly text: string;
  readonly url: string | null;
}

/**
 * Journals of the American Physical Society: their DOI follows from volume and page. The DOIs were not
 * resolved one by one.
 */
const APS = /\b(Phys\. Rev\.(?: [A-EX]| Lett\.)?|Rev\. Mod\. Phys\.) (\d+), (\w+) \(/;
const APS_CODES: Readonly<Record<string, string>> = {
  'Phys. Rev. Lett.': 'PhysRevLett',
  'Rev. Mod. Phys.': 'RevModPhys',
};
/**
 * Data sets and papers that many entries cite. All entries but the last two were checked against other
 * publications that cite the same works.
 */
const KNOWN_DOIS: readonly (readonly [RegExp, string])[] = [
  [/Sci\. Data 4, 160134/, '10.1038/sdata.2016.134'],
  [/Sci\. Data 2, 150053/, '10.1038/sdata.2015.53'],
  [/Sci\. Data 2, 150009/, '10.1038/sdata.2015.9'],
  [/Nature 566, 486 \(2019\)/, '10.1038/s41586-019-0937-5'],
  [/J\. Phys\. Chem\. Lett\. 9, 1668/, '10.1021/acs.jpclett.8b00124'],
  [/USGS Bulletin 2131/, '10.3133/b2131'],
  [/J\. Phys\. Chem\. Ref\. Data 2, 313/, '10.1063/1.3253121'],
];

export function addressOf(citation: string): string | null {
  const stated = /\bdoi:(10\.\d{4,}\/[^\s;,]+)/i.exec(citation)?.[1];
  const known = stated ?? KNOWN_DOIS.find(([work]) => work.test(citation))?.[1];
  if (known !== undefined) return `https://doi.org/${known}`;
  const [, journal, volume, page] = APS.exec(citation) ?? [];
  if (journal === undefined) return null;
  const code = APS_CODES[journal] ?? journal.replaceAll(/[. ]/g, '');
  return `https://doi.org/10.1103/${code}.${volume}.${page}`;
}

const COD = /\bCOD (\d{7})(?: \(((?:[^()]|\([^()]*\))*)\))?/g;
const MP = /\bmp-\d+\b/g;
/** `Authors, Journal 12, 345 (1999)` or `Authors, Title (1995)`, possibly after a description. */
const CITATION = /\((?:19|20)\d\d\)/;
const LOWER_OR_METHOD = /^(?!(?:de|van|von|di|da|del) [A-Z])(?:[a-z0-9]|DFT|DFPT|PBE|IEEE|NCrystal)/;
/** Works in brackets after a statement are separate citations. */
const BRACKETED = /\(((?:[^()]|\(\d{4}\))*\(\d{4}\)[^()]*)\)/g;

/** The citation in a segment, from the authors to the year; null if the segment cites nothing. */
function citationIn(segment: string): string | null {
  const year = CITATION.exec(segment);
  if (!year) return /\bdoi:10\./.test(segment) ? segment.replace(/^[^:]*: /, '').trim() : null;
  const words = segment.slice(0, year.index + year[0].length).replace(/^[a-z][\w ,-]*: /, '');
  const pieces = words.split(', ');
  while (pieces.length > 1 && LOWER_OR_METHOD.test(pieces[0] ?? '')) pieces.shift();
  const citation = pieces.join(', ').trim();
  return pieces.length > 1 && !citation.includes('(compilation') ? citation : null;
}

/** The cited works in order; the statement itself if it contains no known citation format and is not quoted. */
export function worksOf(statement: string): Work[] {
  const works: Work[] = [];
  const add = (text: string, url: string | null): void => {
    if (!works.some((work) => work.text === text)) works.push({ text, url });
  };
  const rest = statement.replaceAll(COD, '').replaceAll(MP, '').replaceAll(BRACKETED, '; $1');
  for (const segment of rest.split('; ')) {
    const citation = citationIn(segment);
    if (citation !== null) add(citation, addressOf(citation));
  }
  for (const [, id, original] of statement.matchAll(COD))
    add(
      `${original === undefined ? '' : `${original}, from `}Crystallography Open Database ${id}`,
      `https://www.crystallography.net/cod/${id}.html`,
    );
  for (const [id] of statement.matchAll(MP))
    add(`Materials Project ${id}`, `https://materialsproject.org/materials/${id}`);
  if (works.length === 0 && statement !== '' && !isQuoted(statement)) add(statement, addressOf(statement));
  return works;
}
