/** How the numbers of the site come about: what the popover of a value says, in one place to link to. */
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { METHODS, type Method } from '../../../components/provenance/methods.ts';
import { Section } from '../../../components/section.tsx';
import { ToolHeader } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { methodTexts } from '../method-texts.ts';

export function Page() {
  const { t, language } = useTexts(methodTexts);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      {Object.entries<Method>(METHODS).map(([id, { title, how, recompute, doc }]) => (
        <Section key={id} id={id} title={title[language]} lead={how[language]}>
          <p>
            <strong>{t('recompute')}</strong> {recompute[language]}
          </p>
          {doc !== undefined && (
            <p>
              {t('doc')} <code>docs/science/{doc}</code>
            </p>
          )}
        </Section>
      ))}
    </div>
  );
}
