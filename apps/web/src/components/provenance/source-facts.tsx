/** All facts about a source, one per line. */
import type { SectionSource } from '@unitcell/contract/matdata';
import { useTexts } from '../../i18n/texts.ts';
import { KindBadge } from './kind-badge.tsx';
import classes from './provenance.module.css';
import { statementIn } from './statement.ts';
import { provenanceTexts } from './texts.ts';

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
