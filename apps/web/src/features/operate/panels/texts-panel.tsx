/** Texts of the public pages: documents in Markdown with a preview, and the lists of the about pages. */
import { Button, NativeSelect, Textarea, Checkbox, TextInput } from '@mantine/core';
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
import classes from '../components/operate.module.css';
import { Answered, PanelHead, useTimes } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

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

/** A Markdown document of the site beside its preview. */
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

// ── Editor for the lists of the about pages: one row of fields per entry ──

/** The fields of each list's entries, as on the public pages. */
const LISTS = {
  team: ['name', 'ename', 'title', 'avatar'],
  developers: ['name', 'title'],
  news: ['title', 'link'],
  milestion: ['date', 'content'],
  advisory_board: ['name', 'ename', 'title', 'avatar'],
  publications: ['title', 'link'],
  supporters: ['name', 'link', 'logo'],
} as const;
type ListName = keyof typeof LISTS;
type Entry = Readonly<Record<string, string>>;
const NAMES = Object.keys(LISTS) as readonly ListName[];

interface Lists {
  readonly is_sample: boolean;
  readonly contact: string;
  readonly lists: Readonly<Record<ListName, readonly Entry[]>>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** The stored content; missing fields are empty. */
function listsOf(stored: StoredText | null): Lists {
  const body = record(stored?.body);
  const entriesOf = (name: ListName): Entry[] => {
    const list = body[name];
    if (!Array.isArray(list)) return [];
    return list.map((entry) =>
      Object.fromEntries(LISTS[name].map((field) => [field, text(record(entry)[field])])),
    );
  };
  return {
    is_sample: body['is_sample'] === true,
    contact: text(body['contact']),
    lists: Object.fromEntries(NAMES.map((name) => [name, entriesOf(name)])) as unknown as Lists['lists'],
  };
}

interface ListsEditorProps {
  readonly stored: StoredText | null;
  readonly locale: StoredText['locale'];
}

export function ListsEditor({ stored, locale }: ListsEditorProps) {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const [before] = useState(() => listsOf(stored));
  const [edited, setEdited] = useState(before);
  const save = useAct(operateSaveText, t('saved'));
  const isChanged = edited !== before;
  const setList = (name: ListName, change: (entries: readonly Entry[]) => readonly Entry[]): void =>
    setEdited((now) => ({ ...now, lists: { ...now.lists, [name]: change(now.lists[name]) } }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { lists, ...rest } = edited;
        save.mutate({
          slug: 'about',
          locale,
          body: { ...rest, ...lists },
          based_on: stored?.updated_at ?? null,
        });
      }}
    >
      <p className={`uc-note ${classes.hint}`}>
        {stored && t('changedAt', { time: time(stored.updated_at) })}{' '}
        <Link to="/about" target="_blank">
          {t('see')}
        </Link>
      </p>
      <div className={`uc-row ${classes.tools}`}>
        <TextInput
          label={t('contact')}
          type="email"
          value={edited.contact}
          onChange={({ currentTarget: { value } }) => setEdited((now) => ({ ...now, contact: value }))}
        />
        <Checkbox
          label={t('isSample')}
          checked={edited.is_sample}
          onChange={({ currentTarget: { checked } }) => setEdited((now) => ({ ...now, is_sample: checked }))}
        />
      </div>
      {NAMES.map((name) => (
        <ListFields
          key={name}
          name={name}
          entries={edited.lists[name]}
          onChange={(change) => setList(name, change)}
        />
      ))}
      <div className={`uc-row ${classes.tools}`}>
        <Button type="submit" disabled={!isChanged} loading={save.isPending}>
          {frame.t('save')}
        </Button>
        <Button variant="subtle" disabled={!isChanged} onClick={() => setEdited(before)}>
          {t('discard')}
        </Button>
        {isChanged && <span className={classes.faint}>{t('unsaved')}</span>}
      </div>
    </form>
  );
}

interface ListFieldsProps {
  readonly name: ListName;
  readonly entries: readonly Entry[];
  readonly onChange: (change: (entries: readonly Entry[]) => readonly Entry[]) => void;
}

function ListFields({ name, entries, onChange }: ListFieldsProps) {
  const { t } = useTexts(siteTexts);
  const empty: Entry = Object.fromEntries(LISTS[name].map((field) => [field, '']));
  return (
    <section>
      <h3 className={classes.sub}>
        {t(name)} <span className={classes.faint}>({entries.length})</span>
      </h3>
      {entries.map((entry, place) => (
        // Entries have no id, and their inputs keep no local state.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className={classes.entry}>
          {LISTS[name].map((field) => (
            <TextInput
              key={field}
              label={t(field)}
              value={entry[field] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onChange((now) => now.map((one, at) => (at === place ? { ...one, [field]: value } : one)))
              }
            />
          ))}
          <span className={classes.buttons}>
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={place === 0}
              aria-label={`${t('up')}: ${t(name)} ${place + 1}`}
              onClick={() =>
                onChange((now) => [
                  ...now.slice(0, place - 1),
                  now[place]!,
                  now[place - 1]!,
                  ...now.slice(place + 1),
                ])
              }
            >
              ↑
            </Button>
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`${t('remove')}: ${t(name)} ${place + 1}`}
              onClick={() => onChange((now) => now.filter((_, at) => at !== place))}
            >
              {t('remove')}
            </Button>
          </span>
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`${t('add')}: ${t(name)}`}
        onClick={() => onChange((now) => [...now, empty])}
      >
        + {t('add')}
      </Button>
    </section>
  );
}
