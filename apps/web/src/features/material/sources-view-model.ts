/** Source texts for values, files and citations. */
import type { MaterialDetail, SectionSource, SourceSection } from '@unitcell/contract/matdata';
import { fields, type NumberName } from '@unitcell/material';
import type { OriginFact } from '../../lib/file-origin.ts';

export const sourceOf = (
  { sources }: Pick<MaterialDetail, 'sources'>,
  section: SourceSection,
  of?: string,
): SectionSource | undefined =>
  sources.find((source) => source.section === section && (of === undefined || source.of === of));

/** The source of a field: its own if the section has one per field, otherwise that of the section. */
export function sourceOfField(
  material: Pick<MaterialDetail, 'sources'>,
  name: NumberName,
): SectionSource | undefined {
  const { sourceSection, column } = fields[name];
  return sourceOf(material, sourceSection, column) ?? sourceOf(material, sourceSection);
}

const kindOf = ({ kinds }: SectionSource): string =>
  kinds.length === 0 ? 'not stated' : kinds.join(' and ');

/** `measured: …`; conditions such as `near 300 K`, settings and unverified parts are included. */
function statementOf(source: SectionSource): string {
  const how = source.method.map(({ key, value }) => `${key.replace('_', '-')} ${value}`).join(', ');
  const parts = [
    source.of === '' ? source.section : `${source.section} (${source.of})`,
    `${source.is_derived ? 'calculated by Unitcell from' : kindOf(source)}: ${source.statement}`,
    ...(how === '' ? [] : [how]),
    ...source.works.flatMap(({ url }) => (url === null ? [] : [url])),
    ...(source.citation_checked === false ? ['citation not checked'] : []),
  ];
  return `${parts[0]}, ${parts.slice(1).join('; ')}`;
}

const distinct = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.filter((text) => text !== '')),
];

/** Source and licence of a file's content. */
export function originOf(sources: readonly SectionSource[]): readonly OriginFact[] {
  return [
    ...distinct(sources.map(statementOf)).map((text) => ['source', text] as const),
    ...distinct(sources.map(({ licence }) => licence)).map((text) => ['licence', text] as const),
  ];
}

/** The header of every file exported from a material page. */
export function entryOrigin(material: MaterialDetail): readonly OriginFact[] {
  const { struct_id: id, formula, symmetry_data: symmetry, release, run_type: scale } = material;
  return [
    [
      'entry',
      `Unitcell entry ${id}: ${formula}, space group ${symmetry.space_group} (${symmetry.space_group_number})`,
    ],
    ['address', `${location.origin}/matdatades/${id}`],
    ...(scale === '' ? [] : [['scale', scale] as const]),
    ...(release === null ? [] : [['release', `${release.id} of ${release.date.slice(0, 10)}`] as const]),
  ];
}

/** A commonly quoted value that was never verified: there is no work to cite. */
export const isQuotedOnly = ({ works, statement, citation_checked: isChecked }: SectionSource): boolean =>
  isChecked === false && statement.includes('not looked up') && works.every(({ url }) => url === null);

/** True if calculated for this database: the entry itself is the citation. */
const isOwn = ({ text, url }: SectionSource['works'][number]): boolean =>
  url === null && text.startsWith('computed for Unitcell');

const citable = (source: SectionSource): SectionSource['works'] =>
  source.is_derived || isQuotedOnly(source) ? [] : source.works.filter((work) => !isOwn(work));

export interface Citation {
  readonly text: string;
  readonly url: string | null;
  readonly sections: readonly SourceSection[];
  /** True if none of the data attributed to this work was checked against it. */
  readonly isUnchecked: boolean;
}

/** Each cited work once, with the data it covers. Values without a verified source have no citation. */
export function citations({ sources }: Pick<MaterialDetail, 'sources'>): readonly Citation[] {
  const works = new Map<string, { url: string | null; sources: SectionSource[] }>();
  for (const source of sources)
    for (const { text, url } of citable(source)) {
      const known = works.get(text);
      if (known) known.sources.push(source);
      else works.set(text, { url, sources: [source] });
    }
  return [...works].map(([text, { url, sources: cited }]) => ({
    text,
    url,
    sections: [...new Set(cited.map(({ section }) => section))],
    isUnchecked: cited.every(({ citation_checked }) => citation_checked === false),
  }));
}
