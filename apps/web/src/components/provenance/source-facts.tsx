/** All facts about a source, one per line. */
import type { SectionSource, SourceKind } from '@unitcell/contract/matdata';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './provenance.module.css';
import { statementIn } from './statement.ts';
import { provenanceTexts } from './texts.ts';

/** Style of the badge: filled for measured, outlined for calculated, dashed for predicted. */
const SHAPES: Readonly<Record<SourceKind, ReactNode>> = {
  measured: <path d="M6 1 11 6 6 11 1 6Z" fill="currentColor" />,
  calculated: <circle cx="6" cy="6" r="4.1" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  predicted: (
    <path
      d="M6 1.6 10.8 10H1.2Z"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeDasharray="2 1.4"
    />
  ),
  defined: <path d="M1.5 4.2h9M1.5 7.8h9" stroke="currentColor" strokeWidth="1.6" />,
};
const UNSTATED = (
  <circle cx="6" cy="6" r="4.1" fill="none" stroke="currentColor" strokeWidth="1.2" strokeDasharray="1.2 2" />
);

const Shape = ({ children }: { readonly children: ReactNode }) => (
  <svg viewBox="0 0 12 12" className={classes.shape} aria-hidden="true">
    {children}
  </svg>
);

/** Badge for measured, calculated or predicted: a shape and a word. */
export function KindBadge({ kinds }: { readonly kinds: readonly SourceKind[] }) {
  const { t } = useTexts(provenanceTexts);
  return (
    <span className={classes.badge} data-kind={kinds[0] ?? 'unstated'}>
      {kinds.length === 0 ? (
        <Shape>{UNSTATED}</Shape>
      ) : (
        kinds.map((kind) => <Shape key={kind}>{SHAPES[kind]}</Shape>)
      )}
      {kinds.length === 0 ? t('unstated') : kinds.map((kind) => t(kind)).join(t('and'))}
    </span>
  );
}

export const Works = ({ works }: Pick<SectionSource, 'works'>) => {
  const { language } = useTexts(provenanceTexts);
  return works.map(({ text, url }, index) => (
    <span key={text}>
      {index > 0 && '; '}
      {url === null ? (
        statementIn(text, language)
      ) : (
        <a href={url} target="_blank" rel="noopener">
          {statementIn(text, language)}
        </a>
      )}
    </span>
  ));
};

export function SourceFacts({ source }: { readonly source: SectionSource }) {
  const { t, language } = useTexts(provenanceTexts);
  const { citation_checked: isChecked, works } = source;
  const checked =
    isChecked === true ? t('checkedYes') : t(isChecked === false ? 'unchecked' : 'checkedUnknown');
  return (
    <dl className={classes.facts}>
      <dt>{t('kind')}</dt>
      <dd>
        <KindBadge kinds={source.kinds} />
      </dd>
      {source.method.map(({ key, value }) => (
        <div key={key}>
          <dt>{t(key)}</dt>
          <dd>{statementIn(value, language)}</dd>
        </div>
      ))}
      <dt>{t(source.is_derived ? 'derivedFrom' : 'stated')}</dt>
      <dd>{statementIn(source.statement, language)}</dd>
      {works.length > 0 &&
        !(works.length === 1 && works[0]?.text === source.statement && works[0].url === null) && (
          <>
            <dt>{t('works')}</dt>
            <dd>
              <Works works={works} />
            </dd>
          </>
        )}
      {source.licence !== '' && (
        <>
          <dt>{t('licence')}</dt>
          <dd>{licenceIn(source.licence, language)}</dd>
        </>
      )}
      <dt>{t('checked')}</dt>
      <dd>{checked}</dd>
    </dl>
  );
}

export const licenceIn = (licence: string, language: 'zh' | 'en'): string =>
  language === 'zh' ? licence.replace('facts, cited', '事实数据，已注明出处') : licence;
