/** A section of the material page that states its source, on the page and in exported files. */
import type { MaterialDetail, SectionSource, SourceSection } from '@unitcell/contract/matdata';
import { type ComponentProps, useMemo } from 'react';
import { FileOrigin } from '../../../components/file-origin.tsx';
import { Section } from '../../../components/section.tsx';
import { originOf } from '../sources-view-model.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useScaleName } from '../../../components/energy-scale/energy-scale.tsx';
import { KindBadge, licenceIn, SourceFacts, Works } from '../../../components/provenance/source-facts.tsx';
import classes from '../../../components/provenance/provenance.module.css';
import { statementIn } from '../../../components/provenance/statement.ts';
import { provenanceTexts } from '../../../components/provenance/texts.ts';

interface SourcedSectionProps extends Omit<ComponentProps<typeof Section>, 'title' | 'source'> {
  readonly title: string;
  readonly material: Pick<MaterialDetail, 'sources'>;
  /** The answer's sections that are shown here. */
  readonly of: readonly SourceSection[];
  /** Selects among several sources, for example that of the bands of one functional. */
  readonly isShown?: (source: SectionSource) => boolean;
}

export function SourcedSection({ material, of, isShown, ...section }: SourcedSectionProps) {
  const sources = material.sources.filter(
    (source) => of.includes(source.section) && (isShown?.(source) ?? true),
  );
  const key = JSON.stringify(sources);
  const facts = useMemo(() => originOf(JSON.parse(key) as SectionSource[]), [key]);
  return (
    <FileOrigin facts={facts}>
      <Section {...section} source={<SourceLine sources={sources} title={section.title} />} />
    </FileOrigin>
  );
}

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
  // A source with several kinds (measured cell, calculated positions) needs the full sentence, which says which
  // part is which.
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

/**
 * The source line under a section heading: measured or calculated, authors, method, licence, link, and whether the
 * citation was verified. Full details on demand.
 */
const SourceLine = ({ sources, title }: SourceLineProps) =>
  sources.length > 0 && (
    <ul className={`uc-list ${classes.line}`}>
      {sources.map((source) => (
        <SourceEntry key={JSON.stringify(source)} source={source} title={title} />
      ))}
    </ul>
  );
