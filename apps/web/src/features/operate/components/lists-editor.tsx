/** Editor for the lists of the about pages: one row of fields per entry. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { operateSaveText } from '@unitcell/contract/calls';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../../i18n/texts.ts';
import { useAct } from '../api/use-operate.ts';
import type { StoredText } from '../api/use-operate.ts';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';
import classes from './operate.module.css';
import { useTimes } from './shared.tsx';

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
