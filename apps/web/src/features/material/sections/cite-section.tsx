/** Cite this entry: text and BibTeX with the release the numbers come from. */
import type { SourceSection } from '@unitcell/contract/matdata';
import { fields, NUMBER_NAMES } from '@unitcell/material';
import { useState } from 'react';
import { statementIn } from '../../../components/provenance/statement.ts';
import { Section } from '../../../components/section.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { citeTexts } from './cite-texts.ts';
import { citations } from '../sources-view-model.ts';
import { citationBibtex, citationText, entryText } from './cite-view-model.ts';

const title = { en: 'Cite this entry', zh: '引用本条目' };

const today = (): string => new Date().toISOString().slice(0, 10);

type NamedSection = SourceSection & keyof typeof citeTexts.en;
/** The others are called as the number they are of. */
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
      <details className={classes.records}>
        <summary>{t('bibtex', { n: citations(material).length + 1 })}</summary>
        <pre className={classes.bibtex}>{bibtex}</pre>
      </details>
    </Section>
  );
}

export const citeSection: MaterialSection = { id: 'cite', title, Component: CiteSection };
