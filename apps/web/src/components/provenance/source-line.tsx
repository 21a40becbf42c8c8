/**
 * The source line under a section heading: measured or calculated, authors, method, licence, link, and whether the citation
 * was verified. Full details on demand.
 */
import type { SectionSource } from '@unitcell/contract/matdata';
import { useTexts } from '../../i18n/texts.ts';
import { useScaleName } from '../energy-scale/use-scale-name.ts';
import { KindBadge, licenceIn, SourceFacts, Works } from './source-facts.tsx';
import classes from './provenance.module.css';
import { statementIn } from './statement.ts';
import { provenanceTexts } from './texts.ts';

/** Facts that distinguish two calculations or measurements at a glance. */
const SHORT_KEYS = new Set(['code', 'functional', 'cutoff', 'k_mesh', 'temperature']);

function SourceEntry({ source, title }: { readonly source: SectionSource; readonly title: string }) {
  const { t, language } = useTexts(provenanceTexts);
  const of = useScaleName()(source.of);
  const how = source.method
    .filter(({ key }) => SHORT_KEYS.has(key))
    .map(({ key, value }) => (key === 'k_mesh' ? `${t('k_mesh')} ${value}` : statementIn(value, language)));
  const tolerance = source.method.find(({ key }) => key === 'tolerance')?.value ?? '';
  const derived = {
    symmetry: () => t('derivedSymmetry', { tolerance }),
    xrd: () => t('derivedXrd'),
    phase_diagram: () => t('derivedPhase'),
  };
  const ownWords =
    source.is_derived && source.section in derived && derived[source.section as keyof typeof derived]();
  // If kinds are mixed (measured cell, calculated positions), only the full sentence says which part is which.
  const isMixed = source.kinds.length > 1 || source.works.length === 0;
  return (
    <li className={`uc-wrap ${classes.entry}`}>
      <p className={classes.short}>
        {of !== '' && <strong className={classes.of}>{of}</strong>}
        <KindBadge kinds={source.kinds} />
        <span>
          {ownWords || (isMixed ? statementIn(source.statement, language) : <Works works={source.works} />)}
        </span>
        {how.length > 0 && <span>{how.join(', ')}</span>}
        {source.licence !== '' && !ownWords && <span>{licenceIn(source.licence, language)}</span>}
        {source.citation_checked === false && !ownWords && (
          <span className={classes.unchecked} title={t('uncheckedHint')}>
            {t('unchecked')}
          </span>
        )}
      </p>
      <details className={classes.details}>
        <summary aria-label={t('detailsOf', { of: [title, of].filter(Boolean).join(', ') })}>
          {t('details')}
        </summary>
        <SourceFacts source={source} />
      </details>
    </li>
  );
}

interface SourceLineProps {
  readonly sources: readonly SectionSource[];
  /** Name of the section, for screen readers. */
  readonly title: string;
}

export const SourceLine = ({ sources, title }: SourceLineProps) =>
  sources.length > 0 && (
    <ul className={`uc-list ${classes.line}`}>
      {sources.map((source) => (
        <SourceEntry key={JSON.stringify(source)} source={source} title={title} />
      ))}
    </ul>
  );
