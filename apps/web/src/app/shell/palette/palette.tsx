/** The palette (Ctrl K or ⌘ K): a material by its formula or number, any page, and a few actions, without the mouse. */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { searchByFormula, searchByStructId } from '@unitcell/contract/calls';
import { parseFormula } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import { searchResultOf } from '@unitcell/material';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useFailure } from '../../../components/failure.tsx';
import { Formula } from '../../../components/formula.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { apiQuery } from '../../../lib/api-client.ts';
import { openLogin, useToken } from '../../../lib/session.ts';
import { pages, type SitePage } from '../../pages.ts';
import { useAppearance } from '../appearance.ts';
import classes from './palette.module.css';

const paletteTexts = defineTexts('palette', {
  open: ['Search materials and pages', '转到材料或页面'],
  placeholder: ['Formula, ID, elements or page', '化学式、编号、元素或页面'],
  label: ['Material, page or action', '材料、页面或操作'],
  results: ['Results', '查找结果'],
  materials: ['Materials', '材料'],
  pages: ['Pages', '页面'],
  actions: ['Actions', '操作'],
  searchElements: ['Materials of exactly {{elements}}', '恰由 {{elements}} 组成的材料'],
  drawDiagram: ['Phase diagram {{elements}}', '{{elements}} 相图'],
  language: ['切换到中文', 'Switch to English'],
  dark: ['Dark theme', '深色外观'],
  light: ['Light theme', '浅色外观'],
  print: ['Print this page', '打印本页'],
  none: ['No results for “{{text}}”.', '未找到“{{text}}”。'],
  failed: ['Material search is unavailable: {{why}}', '暂时无法检索材料：{{why}}'],
  searching: ['Searching…', '正在查找…'],
  found_one: '{{count}} result',
  found_other: ['{{count}} results', '{{count}} 个结果'],
  keys: ['↑ ↓ select · Enter opens · Esc closes', '↑ ↓ 选择 · Enter 打开 · Esc 关闭'],
});

interface MaterialQuery {
  readonly type: 'formula' | 'struct_id';
  readonly query: string;
}

// ── The choices for a text: possible searches, and pages whose names contain the text ──

const NUMBER = /^#?(\d{1,10})$/;

/** The material query in a text: a number, or a formula with any number of elements; null for other texts. */
export function materialQuery(text: string): MaterialQuery | null {
  const [, id] = NUMBER.exec(text) ?? [];
  if (id !== undefined) return { type: 'struct_id', query: id };
  if (!/^[A-Z([{]/.test(text) || /[\s-]/.test(text)) return null;
  try {
    parseFormula(text);
    return { type: 'formula', query: text };
  } catch {
    return null;
  }
}

/** `Ti-O`, `Ti O`, `ti o`: the elements listed in a text if there are at least two; otherwise none. */
export function elementList(text: string): readonly string[] {
  const symbols = text
    .split(/[\s,，、–-]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase());
  return symbols.length >= 2 && symbols.every(isElementSymbol) ? [...new Set(symbols)] : [];
}

/** Pages whose address needs no parameters, found by their names and hints in either language. */
export function pagesNamed(among: readonly SitePage[], text: string): readonly SitePage[] {
  const sought = text.toLowerCase();
  const seen = new Set<string>();
  return among.filter(({ path, title, hint }) => {
    if (/[:*]/.test(path) || seen.has(title.en)) return false;
    const names = [title.en, title.zh, hint?.en ?? '', hint?.zh ?? ''].join('\n').toLowerCase();
    if (!names.includes(sought)) return false;
    seen.add(title.en);
    return true;
  });
}

interface Choice {
  readonly key: string;
  readonly group: 'materials' | 'pages' | 'actions';
  readonly name: ReactNode;
  readonly note?: ReactNode;
  readonly run: () => void;
}

const MAX_MATERIALS = 8;

function useChoices(text: string, onClose: () => void) {
  const { t, language } = useTexts(paletteTexts);
  const navigate = useNavigate();
  const isSignedIn = useToken() !== null;
  const { isDark, switchTheme, switchLanguage } = useAppearance();
  const sentence = useFailure();
  const named = isSignedIn ? materialQuery(text) : null;
  const search = useQuery({
    ...apiQuery({
      call: named?.type === 'struct_id' ? searchByStructId : searchByFormula,
      body: { include: named?.query ?? '' },
    }),
    enabled: named !== null,
    retry: false,
  });
  const go =
    (to: string, isOpen = isSignedIn) =>
    () => {
      onClose();
      if (isOpen) void navigate(to);
      else openLogin(to);
    };
  const elements = elementList(text);
  const found = named && search.data ? search.data.results.slice(0, MAX_MATERIALS).map(searchResultOf) : [];
  const actions: (Choice & { readonly name: string })[] = [
    {
      key: 'language',
      group: 'actions',
      name: t('language'),
      run: () => {
        onClose();
        void switchLanguage();
      },
    },
    {
      key: 'scheme',
      group: 'actions',
      name: t(isDark ? 'light' : 'dark'),
      run: () => {
        onClose();
        switchTheme();
      },
    },
    {
      key: 'print',
      group: 'actions',
      name: t('print'),
      run: () => {
        onClose();
        // Print only after the palette has been removed from the page.
        setTimeout(() => print());
      },
    },
  ];
  const choices: Choice[] = [
    ...found.map(
      ({ structId, formula, spaceGroup }): Choice => ({
        key: `material-${structId}`,
        group: 'materials',
        name: <Formula text={formula} />,
        note: (
          <>
            <SpaceGroup symbol={spaceGroup} /> · {structId}
          </>
        ),
        run: go(`/matdatades/${structId}`),
      }),
    ),
    ...(elements.length === 0
      ? []
      : [
          {
            key: 'elements',
            group: 'materials',
            name: t('searchElements', { elements: elements.join('–') }),
            run: go(`/matdata?q=${elements.join('-')}`),
          } as const,
        ]),
    ...(elements.length >= 2 && elements.length <= 4
      ? [
          {
            key: 'diagram',
            group: 'materials',
            name: t('drawDiagram', { elements: elements.join('–') }),
            run: go(`/phase?q=${elements.join('+')}`),
          } as const,
        ]
      : []),
    ...pagesNamed(pages, text).map(
      ({ path, title, hint, isPublic }): Choice => ({
        key: path,
        group: 'pages',
        name: title[language],
        note: hint?.[language],
        run: go(path, isSignedIn || isPublic === true),
      }),
    ),
    ...actions.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
  ];
  const isSearching = named !== null && search.isFetching;
  return { choices, isSearching, failure: named && search.isError ? sentence(search.error) : '' };
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts(paletteTexts);
  const listId = useId();
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const { choices, isSearching, failure } = useChoices(text, onClose);
  const [at, setAt] = useState({ index: 0, of: text });
  // A new text gives a new list, so its first choice is selected.
  if (at.of !== text) setAt({ index: 0, of: text });
  const active = Math.min(at.index, Math.max(0, choices.length - 1));
  const optionId = (index: number): string => `${listId}-${index}`;
  const move = (index: number): void => {
    const next = (index + choices.length) % Math.max(1, choices.length);
    setAt({ index: next, of: text });
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Home: () => move(0),
      End: () => move(choices.length - 1),
      Enter: () => choices[active]?.run(),
    };
    const step = steps[event.key];
    if (!step || ((event.key === 'Home' || event.key === 'End') && event.shiftKey)) return;
    event.preventDefault();
    step();
  };
  const said = isSearching ? t('searching') : failure === '' ? '' : t('failed', { why: failure });
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size="38rem"
      padding={0}
      yOffset="12vh"
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('open')}>
        <Modal.Body>
          <input
            className={classes.box}
            // The dialog opens with the focus in its box.
            data-autofocus
            role="combobox"
            aria-label={t('label')}
            aria-expanded={choices.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={choices.length > 0 ? optionId(active) : undefined}
            placeholder={t('placeholder')}
            value={typed}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKey}
          />
          {/* No native element filters a list of links by typing: datalist and select hold only plain text. */}
          {/* oxlint-disable jsx-a11y/prefer-tag-over-role */}
          <div id={listId} role="listbox" aria-label={t('results')} className={classes.list}>
            {choices.map((choice, index) => (
              <div key={choice.key}>
                {choice.group !== choices[index - 1]?.group && (
                  <p className={`uc-caption ${classes.group}`} role="presentation">
                    {t(choice.group)}
                  </p>
                )}
                {/* The box keeps the focus and handles the keys. */}
                {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
                <div
                  id={optionId(index)}
                  role="option"
                  aria-selected={index === active}
                  className={classes.option}
                  onClick={choice.run}
                  onPointerMove={() => index !== active && setAt({ index, of: text })}
                >
                  <span>{choice.name}</span>
                  {choice.note && <span className={`uc-note ${classes.note}`}>{choice.note}</span>}
                </div>
              </div>
            ))}
          </div>
          {/* oxlint-enable */}
          <output className={classes.said}>
            {said || (choices.length === 0 ? t('none', { text }) : t('keys'))}
            <span className="uc-visually-hidden"> {t('found', { count: choices.length })}</span>
          </output>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
