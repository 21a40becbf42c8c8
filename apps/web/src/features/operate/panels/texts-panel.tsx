/** Texts of the public pages: documents in Markdown with a preview, and the lists of the about pages. */
import { NativeSelect } from '@mantine/core';
import { operateTexts as operateTextsCall } from '@unitcell/contract/calls';
import { CONTENT_LOCALES, CONTENT_SLUGS } from '@unitcell/contract/operate/rules';
import { useState } from 'react';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { type StoredText, useAsked } from '../api/use-operate.ts';
import { DocumentEditor } from '../components/document-editor.tsx';
import { ListsEditor } from '../components/lists-editor.tsx';
import classes from '../components/operate.module.css';
import { Answered, PanelHead } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

export function TextsPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const [slug, setSlug] = useState<StoredText['slug']>('about');
  const [locale, setLocale] = useState<StoredText['locale']>(currentLanguage());
  const asked = useAsked(operateTextsCall, {});
  return (
    <>
      <PanelHead title={frame.t('texts')} />
      <div className={classes.tools}>
        <NativeSelect
          label={t('document')}
          value={slug}
          data={CONTENT_SLUGS.map((value) => ({ value, label: t(value) }))}
          onChange={({ currentTarget: { value } }) =>
            setSlug(CONTENT_SLUGS.find((name) => name === value) ?? 'about')
          }
        />
        <NativeSelect
          label={t('language')}
          value={locale}
          data={CONTENT_LOCALES.map((value) => ({ value, label: t(value) }))}
          onChange={({ currentTarget: { value } }) => setLocale(value === 'en' ? 'en' : 'zh')}
        />
      </div>
      <Answered asked={asked}>
        {({ texts }) => {
          const stored = texts.find((text) => text.slug === slug && text.locale === locale) ?? null;
          const key = `${slug} ${locale} ${stored?.updated_at ?? ''}`;
          return slug === 'about' ? (
            <ListsEditor key={key} stored={stored} locale={locale} />
          ) : (
            <DocumentEditor key={key} stored={stored} slug={slug} locale={locale} />
          );
        }}
      </Answered>
    </>
  );
}
