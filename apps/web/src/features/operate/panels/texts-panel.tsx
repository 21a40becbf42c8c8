/** Texts of the public pages: documents in Markdown with a preview, and the lists of the about pages. */
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  operatePreviewText,
  operateSaveText,
  operateTexts as operateTextsCall,
} from '@unitcell/contract/calls';
import { CONTENT_LOCALES, CONTENT_SLUGS } from '@unitcell/contract/operate/rules';
import DOMPurify from 'dompurify';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { type StoredText, useAct, useAsked } from '../api/use-operate.ts';
import { ListsEditor } from '../components/lists-editor.tsx';
import classes from '../components/operate.module.css';
import { Answered, PanelHead, useTimes } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

/** A Markdown document of the site beside its preview. */
const REST_MS = 400;
const PAGES = { terms: '/protocal/user', privacy: '/protocal/private' } as const;

interface DocumentEditorProps {
  readonly stored: StoredText | null;
  readonly slug: keyof typeof PAGES;
  readonly locale: StoredText['locale'];
}

/** The stored document; empty if there is none. */
function markdownOf(stored: StoredText | null): string {
  const body = stored?.body;
  if (typeof body !== 'object' || body === null || !('markdown' in body)) return '';
  return typeof body.markdown === 'string' ? body.markdown : '';
}

function DocumentEditor({ stored, slug, locale }: DocumentEditorProps) {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const before = markdownOf(stored);
  const [markdown, setMarkdown] = useState(before);
  const [rested] = useDebouncedValue(markdown, REST_MS);
  const preview = useAsked(operatePreviewText, { locale, markdown: rested });
  const save = useAct(operateSaveText, t('saved'));
  const isChanged = markdown !== before;
  const places = stored?.open_places ?? [];
  return (
    <>
      <p className={`uc-note ${classes.hint}`}>
        {stored && t('changedAt', { time: time(stored.updated_at) })}{' '}
        {places.length > 0 && t('openPlaces', { places: places.join(' · ') })}{' '}
        <Link to={PAGES[slug]} target="_blank">
          {t('see')}
        </Link>
      </p>
      <div className={classes.editor}>
        <Textarea
          label={t('markdown')}
          lang={locale === 'zh' ? 'zh-CN' : 'en'}
          rows={24}
          value={markdown}
          spellCheck
          onChange={(event) => setMarkdown(event.currentTarget.value)}
        />
        <div>
          <p className={classes.sub}>{t('preview')}</p>
          {/* Keyboard users must be able to focus a scrolling region. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <section className={`uc-panel ${classes.preview}`} aria-label={t('preview')} tabIndex={0}>
            <Answered asked={preview}>
              {({ html }) => (
                <div
                  lang={locale === 'zh' ? 'zh-CN' : 'en'}
                  // oxlint-disable-next-line react/no-danger
                  dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(html) }}
                />
              )}
            </Answered>
          </section>
        </div>
      </div>
      <div className={classes.buttons}>
        <Button
          disabled={!isChanged}
          loading={save.isPending}
          onClick={() =>
            save.mutate({ slug, locale, body: { markdown }, based_on: stored?.updated_at ?? null })
          }
        >
          {frame.t('save')}
        </Button>
        <Button variant="subtle" disabled={!isChanged} onClick={() => setMarkdown(before)}>
          {t('discard')}
        </Button>
        {isChanged && <span className={classes.faint}>{t('unsaved')}</span>}
      </div>
    </>
  );
}

export function TextsPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const [slug, setSlug] = useState<StoredText['slug']>('about');
  const [locale, setLocale] = useState<StoredText['locale']>(currentLanguage());
  const asked = useAsked(operateTextsCall, {});
  return (
    <>
      <PanelHead title={frame.t('texts')} />
      <div className={`uc-row ${classes.tools}`}>
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
