/** Cite this entry: text and BibTeX with the release of the numbers. */
import type { MaterialDetail, SourceSection } from '@unitcell/contract/matdata';
import { fields, NUMBER_NAMES } from '@unitcell/material';
import { useState } from 'react';
import { statementIn } from '../../../components/provenance/statement.ts';
import { Section } from '../../../components/section.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { today } from '../../../lib/format.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { type Citation, citations } from '../sources-view-model.ts';

interface CitationContext {
  /** `https://…`, without a trailing slash. */
  readonly origin: string;
  /** Date of access, `2026-11-21`. */
  readonly accessed: string;
}

type Cited = Pick<
  MaterialDetail,
  'struct_id' | 'formula' | 'symmetry_data' | 'run_type' | 'release' | 'source' | 'sources'
>;

const entryAddress = ({ struct_id }: Pick<Cited, 'struct_id'>, origin: string): string =>
  `${origin}/matdatades/${struct_id}`;

/** Short form of the data source: `Materials Project mp-2534 (CC BY 4.0)`. */
const sourceText = ({ source: { name, id, licence } }: Pick<Cited, 'source'>): string =>
  [name, id, licence && `(${licence})`].filter((part) => part !== '').join(' ');

const releaseText = ({ release }: Pick<Cited, 'release'>): string =>
  release === null ? '' : `release ${release.id} of ${release.date.slice(0, 10)}`;

/** The entry as one sentence for a reference list. */
function entryText(entry: Cited, { origin, accessed }: CitationContext): string {
  const { formula, struct_id, symmetry_data: symmetry } = entry;
  const name = `Unitcell entry ${struct_id}: ${formula}, space group ${symmetry.space_group} (${symmetry.space_group_number})`;
  const parts = [name, releaseText(entry), `data from ${sourceText(entry)}`].filter((part) => part !== '');
  return `${parts.join('; ')}. ${entryAddress(entry, origin)} (accessed ${accessed}).`;
}

/** A source in one line: work, address, the data it covers, and whether it was verified. */
const workText = ({ text, url, sections, isUnchecked }: Citation): string =>
  `${text}. ${url === null ? '' : `${url} `}[${sections.join(', ').replaceAll('_', ' ')}${isUnchecked ? '; citation not checked' : ''}]`;

/** Citation of the entry and of each of its sources, each source once. */
export const citationText = (entry: Cited, context: CitationContext): string =>
  [entryText(entry, context), ...citations(entry).map(workText)].join('\n');

/** Characters with a special meaning in BibTeX. */
const SPECIAL = /[\\{}$&#^_~%]/g;
const escaped = (text: string): string =>
  text.replace(SPECIAL, (sign) => {
    if (sign === '\\') return '\\textbackslash{}';
    if (sign === '^' || sign === '~') return `\\${sign}{}`;
    return `\\${sign}`;
  });

const record = (kind: string, key: string, lines: readonly string[]): string =>
  `@${kind}{${key},\n${lines.map((line) => `  ${line}`).join(',\n')}\n}`;

function entryBibtex(entry: Cited, { origin, accessed }: CitationContext): string {
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

/** Authors in BibTeX form, from `Grimsditch & Ramdas`, `McNeil, Grimsditch & French` or `Tang et al.`. */
const authorsOf = (names: string): string =>
  names
    .replace(/ et al\.?$/, ', others')
    .split(/, | & /)
    .map((name) => (name === 'others' ? name : escaped(name)))
    .join(' and ');

function workBibtex(citation: Citation, number: number): string {
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

/** BibTeX records of the entry and of each of its sources, each source once. */
export const citationBibtex = (entry: Cited, context: CitationContext): string =>
  [
    entryBibtex(entry, context),
    ...citations(entry).map((citation, index) => workBibtex(citation, index + 1)),
  ].join('\n\n');

const citeTexts = defineTexts('material-cite', {
  lead: [
    'Energies depend on the release of derived data: cite it with the entry, and cite the sources of the data.',
    '能量取决于衍生数据的版本：引用条目时请一并注明版本，并引用数据来源。',
  ],
  copyText: ['Copy text', '复制文本'],
  copyBibtex: ['Copy BibTeX', '复制 BibTeX'],
  copied: ['Copied', '已复制'],
  failed: [
    'The browser does not allow copying: select the text instead.',
    '浏览器不允许复制，请手动选择文本。',
  ],
  actions: ['Copy the citation', '复制引用'],
  sources: ['Sources of its data', '数据来源'],
  bibtex: ['BibTeX ({{n}} records)', 'BibTeX（{{n}} 条）'],
  unchecked: ['citation not verified', '引文未核对'],
  structure: ['structure', '结构'],
  symmetry: ['symmetry', '对称性'],
  energy: ['energies', '能量'],
  band_gap: ['band gap', '带隙'],
  bands: ['bands and density of states', '能带与态密度'],
  electronic: ['electronic structure', '电子结构'],
  phase_diagram: ['phase diagram', '相图'],
  xrd: ['X-ray pattern', 'X 射线衍射图谱'],
  dielectric: ['dielectric tensor', '介电张量'],
  piezoelectric: ['piezoelectric tensor', '压电张量'],
  elastic: ['elastic constants', '弹性常数'],
  phonons: ['phonons', '声子'],
  topology: ['topology', '拓扑'],
});

const title = { en: 'Cite this entry', zh: '引用本条目' };

type NamedSection = SourceSection & keyof typeof citeTexts.en;
/** True if the citation uses a special name for the section; other sections are named by the label of their field. */
const isNamed = (section: SourceSection): section is NamedSection => section in citeTexts.en;

function CiteSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(citeTexts);
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const [accessed] = useState(today);
  const labelOf = (section: SourceSection): string => {
    if (isNamed(section)) return t(section);
    const number = NUMBER_NAMES.find((name) => fields[name].sourceSection === section);
    return number ? fields[number].label[language] : section;
  };
  const context = { origin: location.origin, accessed };
  const text = citationText(material, context);
  const bibtex = citationBibtex(material, context);
  const copy = async (content: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(content);
      setOutcome('copied');
    } catch {
      setOutcome('failed');
    }
  };
  return (
    <Section
      id="cite"
      title={title[language]}
      lead={t('lead')}
      tools={
        <>
          <output className={classes.outcome}>{outcome && t(outcome)}</output>
          <ToolbarButtons
            label={t('actions')}
            buttons={[
              { id: 'text', label: t('copyText'), onClick: () => void copy(text) },
              { id: 'bibtex', label: t('copyBibtex'), onClick: () => void copy(bibtex) },
            ]}
          />
        </>
      }
    >
      <p className={classes.text}>{entryText(material, context)}</p>
      <ol className={classes.works} aria-label={t('sources')}>
        {citations(material).map((work) => (
          <li key={work.text}>
            {work.url === null ? (
              statementIn(work.text, language)
            ) : (
              <a href={work.url} target="_blank" rel="noopener">
                {statementIn(work.text, language)}
              </a>
            )}{' '}
            <span className={classes.stands}>
              {work.sections.map(labelOf).join(language === 'zh' ? '、' : ', ')}
              {work.isUnchecked && ` · ${t('unchecked')}`}
            </span>
          </li>
        ))}
      </ol>
      <details className="uc-fold">
        <summary>{t('bibtex', { n: citations(material).length + 1 })}</summary>
        <pre className={`uc-panel ${classes.bibtex}`}>{bibtex}</pre>
      </details>
    </Section>
  );
}

export const citeSection: MaterialSection = { id: 'cite', title, Component: CiteSection };
