/** Search type, box and button; validation of the input (spec §4.5), and the effect of a click in the periodic table. */
import { IconSearch, IconX } from '@tabler/icons-react';
import { CrystalError, parseFormula } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import classes from './search-form.module.css';
import { Loader } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { isSearchKey } from '../../lib/search-key.ts';

// ── The input ──

export type SearchType = 'elements' | 'formula' | 'struct_id';
export const SEARCH_TYPES: readonly SearchType[] = ['elements', 'formula', 'struct_id'];

/** Means "and any others" at the end of an element list (decisions.md). */
export const WILDCARD = '*';

/** Why a formula is invalid, by the codes of `@unitcell/crystal`. */
type FormulaProblem = Pick<CrystalError, 'reason' | 'parameters'>;

type InputProblem =
  | { readonly key: 'unknownElement' | 'formulaInElements'; readonly symbol: string }
  | { readonly key: 'formulaStart' }
  | { readonly key: 'formulaSyntax'; readonly problem: FormulaProblem };

const tokensOf = (input: string): readonly string[] => input.split('-').map((token) => token.trim());

/** Distinct element symbols, in the order of the input; the wildcard and unknown symbols are left out. */
export function selectedElements(type: SearchType, input: string): readonly string[] {
  if (type === 'elements') return [...new Set(tokensOf(input).filter(isElementSymbol))];
  if (type === 'struct_id' || findProblem('formula', input) !== null || input.trim() === '') return [];
  return Object.keys(parseFormula(input));
}

/** The input after a click on an element: `Ti-` becomes `Ti-O-`; an element already present is removed. */
export function toggleElement(type: SearchType, input: string, symbol: string): string {
  const tokens = type === 'elements' ? tokensOf(input).filter((token) => token !== '') : [];
  const next = tokens.includes(symbol)
    ? tokens.filter((token) => token !== symbol)
    : // The wildcard stays at the end.
      [
        ...tokens.filter((token) => token !== WILDCARD),
        symbol,
        ...tokens.filter((token) => token === WILDCARD),
      ];
  return next.length === 0 ? '' : `${next.join('-')}-`;
}

function elementsProblem(input: string): InputProblem | null {
  const tokens = tokensOf(input);
  for (const [index, token] of tokens.entries()) {
    const isEmptyEnd = token === '' && index === tokens.length - 1;
    if (isEmptyEnd || token === WILDCARD || isElementSymbol(token)) continue;
    const looksLikeFormula = findProblem('formula', token) === null && token !== '';
    return { key: looksLikeFormula ? 'formulaInElements' : 'unknownElement', symbol: token.slice(0, 40) };
  }
  return null;
}

function formulaProblem(input: string): InputProblem | null {
  // Spec §4.5: a leading digit or lowercase letter is rejected first.
  if (!/^[A-Z([{]/.test(input.trim())) return { key: 'formulaStart' };
  try {
    parseFormula(input);
    return null;
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    return { key: 'formulaSyntax', problem: { reason: error.reason, parameters: error.parameters } };
  }
}

/** The error in the input, or null. Empty input is valid; ids are validated by the server. */
export function findProblem(type: SearchType, input: string): InputProblem | null {
  if (input.trim() === '' || type === 'struct_id') return null;
  return type === 'elements' ? elementsProblem(input) : formulaProblem(input);
}

/** The text to send: without the trailing hyphen of an element list; the default formula if empty. */
export function queryOf(type: SearchType, input: string): string {
  const text = input.trim();
  if (type === 'elements') return text.replace(/[-\s]+$/, '');
  return type === 'formula' && text === '' ? 'Li(CoO2)2' : text;
}

/** A submitted search as shown to people: elements separated by spaces, not hyphens. */
export const searchBasis = (type: SearchType, query: string): string =>
  type === 'elements' ? query.replaceAll('-', ' ') : query;

// ── The form ──

const searchFormTexts = defineTexts('search-form', {
  by: ['Search by', '检索方式'],
  elements: ['by Elements', '按元素'],
  formula: ['by Formula', '按化学式'],
  struct_id: ['by Struct_id', '按材料编号'],
  placeholder_elements: ['e.g. Ti-O', '例如 Ti-O'],
  placeholder_formula: ['e.g. TiO2', '例如 TiO2'],
  placeholder_struct_id: ['e.g. 126096', '例如 126096'],
  query: ['Search for', '检索内容'],
  clear: ['Clear', '清空'],
  search: ['Search', '检索'],
  hint_elements: [
    'Exact match. Add -* to allow other elements: Ti-O-*',
    '仅含这些元素；加 -* 表示至少含这些元素：Ti-O-*',
  ],
  hint_formula: [
    'Order and brackets do not matter. An empty box searches Li(CoO2)2.',
    '元素次序与括号写法不影响结果；留空则检索 Li(CoO2)2。',
  ],
  hint_struct_id: ['With or without leading zeros', '前导零可有可无'],
  unknownElement: ['“{{symbol}}” is not an element', '“{{symbol}}”不是元素符号'],
  formulaInElements: [
    '“{{symbol}}” looks like a formula: choose “by Formula”, or separate elements with hyphens',
    '“{{symbol}}”像是化学式：请选择“按化学式”，或用连字符分隔元素',
  ],
  formulaStart: ['A formula starts with an element symbol, e.g. TiO2', '化学式应以元素符号开头，例如 TiO2'],
  id: ['by ID', '按编号'],
});

interface SearchFormProps {
  readonly type: SearchType;
  readonly input: string;
  readonly problem: InputProblem | null;
  readonly isSearching: boolean;
  readonly onType: (type: SearchType) => void;
  readonly onInput: (input: string) => void;
  readonly onSearch: () => void;
  /** True if another filter is set, so the box may be empty. */
  readonly mayBeEmpty?: boolean;
  /** Label of the third search type: `by Struct_id` or `by Id`. */
  readonly idLabel?: 'struct_id' | 'id';
}

export function SearchForm(props: SearchFormProps) {
  const { type, input, problem, isSearching, mayBeEmpty = false, idLabel = 'struct_id' } = props;
  const { t } = useTexts(searchFormTexts);
  return (
    <SearchBar
      input={input}
      texts={{
        query: t('query'),
        placeholder: t(`placeholder_${type}`),
        clear: t('clear'),
        submit: t('search'),
        hint: t(`hint_${type}`),
      }}
      problem={problem && <ProblemText problem={problem} />}
      isBusy={isSearching}
      isDisabled={
        problem !== null || isSearching || (type !== 'formula' && input.trim() === '' && !mayBeEmpty)
      }
      icon={<IconSearch size={17} aria-hidden="true" />}
      leading={
        <select
          className={classes.type}
          aria-label={t('by')}
          value={type}
          onChange={(event) => props.onType(event.currentTarget.value as SearchType)}
        >
          {SEARCH_TYPES.map((option) => (
            <option key={option} value={option}>
              {t(option === 'struct_id' ? idLabel : option)}
            </option>
          ))}
        </select>
      }
      onInput={props.onInput}
      onSubmit={props.onSearch}
    />
  );
}

function ProblemText({ problem }: { readonly problem: InputProblem }) {
  const { t } = useTexts(searchFormTexts);
  if (problem.key === 'formulaSyntax') return <FormulaProblemText problem={problem.problem} />;
  if (problem.key === 'formulaStart') return t('formulaStart');
  return t(problem.key, { symbol: problem.symbol });
}

// ── Why a formula is invalid, in the language of the page ──

const problemTexts = defineTexts('formula-problem', {
  'formula-too-long': [
    'This formula has {{length}} characters; the limit is {{limit}}',
    '化学式有 {{length}} 个字符，最多 {{limit}} 个',
  ],
  'formula-amount': [
    'Position {{position}}: the amount {{found}} is not between 0 and {{limit}}',
    '第 {{position}} 个字符：数量 {{found}} 不在 0 到 {{limit}} 之间',
  ],
  'formula-too-many-atoms': [
    'Position {{position}}: more than {{limit}} atoms of {{element}}',
    '第 {{position}} 个字符：{{element}} 原子超过 {{limit}} 个',
  ],
  'formula-element-expected': [
    'Position {{position}}: an element symbol is missing here',
    '第 {{position}} 个字符处缺少元素符号',
  ],
  'formula-unknown-element': [
    'Position {{position}}: “{{found}}” is not an element symbol',
    '第 {{position}} 个字符：“{{found}}”不是元素符号',
  ],
  'formula-unopened-bracket': [
    'Position {{position}}: “{{found}}” has no opening bracket',
    '第 {{position}} 个字符：“{{found}}”没有对应的左括号',
  ],
  'formula-wrong-bracket': [
    'Position {{position}}: “{{found}}” does not match the bracket at position {{opened}}; expected “{{expected}}”',
    '第 {{position}} 个字符：“{{found}}”与第 {{opened}} 个字符处的左括号不匹配，应为“{{expected}}”',
  ],
  'formula-empty-brackets': [
    'Position {{position}}: the brackets are empty',
    '第 {{position}} 个字符：括号为空',
  ],
  'formula-dot-in-brackets': [
    'Position {{position}}: a dot cannot be inside brackets',
    '第 {{position}} 个字符：括号内不能有点号',
  ],
  'formula-unexpected': [
    'Position {{position}}: unexpected “{{found}}”. A formula has symbols, amounts and brackets: Li3PS4',
    '第 {{position}} 个字符：不应出现“{{found}}”；化学式由元素符号、数量和括号组成，例如 Li3PS4',
  ],
  'formula-open-bracket': [
    'The bracket at position {{position}} is not closed: “{{expected}}” is missing',
    '第 {{position}} 个字符处的括号没有闭合，缺少“{{expected}}”',
  ],
  other: ['This formula cannot be read', '无法识别此化学式'],
});

type Reason = keyof typeof problemTexts.en;

const isReason = (reason: string): reason is Reason => Object.hasOwn(problemTexts.en, reason);

/** Longer quotes from the input are cut. */
const MAX_CHARACTERS = 40;

function FormulaProblemText({ problem }: { readonly problem: FormulaProblem }) {
  const { t } = useTexts(problemTexts);
  const value = (name: string): string => {
    const found = problem.parameters[name];
    return typeof found === 'string' || typeof found === 'number'
      ? String(found).slice(0, MAX_CHARACTERS)
      : '';
  };
  return t(isReason(problem.reason) ? problem.reason : 'other', {
    position: value('position'),
    opened: value('opened'),
    found: value('found'),
    expected: value('expected'),
    element: value('element'),
    length: value('length'),
    limit: value('limit'),
  });
}

// The search bar: a text box that can be cleared, the button, and a line for hints and errors.

interface SearchBarProps {
  readonly input: string;
  readonly texts: {
    readonly query: string;
    readonly placeholder: string;
    readonly clear: string;
    readonly submit: string;
    readonly hint: string;
  };
  /** The error in the input, or null. */
  readonly problem: ReactNode;
  readonly isBusy: boolean;
  /** True if the current input cannot be submitted. */
  readonly isDisabled: boolean;
  readonly icon: ReactNode;
  /** Content before the box. */
  readonly leading?: ReactNode;
  readonly maxLength?: number;
  readonly onInput: (input: string) => void;
  readonly onSubmit: () => void;
}

/** True if the target handles Enter itself: form controls and open popups. */
const hasUseForKeys = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'a, button, input, select, textarea, summary, [contenteditable], [role="dialog"], [tabindex]:not([tabindex="-1"])',
  ) !== null;

export function SearchBar(props: SearchBarProps) {
  const { input, texts, problem, isBusy, isDisabled, icon, leading, maxLength, onInput, onSubmit } = props;
  const noteId = useId();
  const box = useRef<HTMLInputElement>(null);
  const isWrong = problem !== null;

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.key === 'Enter' && !isDisabled && !hasUseForKeys(event.target)) onSubmit();
      if (isSearchKey(event)) {
        event.preventDefault();
        box.current?.focus();
        box.current?.select();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isDisabled, onSubmit]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isDisabled) onSubmit();
  };
  return (
    <search>
      <form className={classes.form} onSubmit={submit}>
        <div className={`uc-panel ${classes.bar}`} data-invalid={isWrong || undefined}>
          {leading}
          <input
            ref={box}
            className={classes.box}
            aria-label={texts.query}
            aria-invalid={isWrong}
            aria-describedby={noteId}
            placeholder={texts.placeholder}
            value={input}
            maxLength={maxLength}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-keyshortcuts="/"
            onChange={(event) => onInput(event.currentTarget.value)}
          />
          {input === '' && (
            <kbd className={classes.key} aria-hidden="true">
              /
            </kbd>
          )}
          {input !== '' && (
            <button
              type="button"
              className={classes.clear}
              aria-label={texts.clear}
              onClick={() => {
                onInput('');
                box.current?.focus();
              }}
            >
              <IconX size={16} aria-hidden="true" />
            </button>
          )}
          <button type="submit" className={classes.search} disabled={isDisabled} aria-busy={isBusy}>
            {isBusy ? <Loader size={16} color="currentColor" /> : icon}
            {texts.submit}
          </button>
        </div>
        <output id={noteId} className={`uc-hint ${classes.note}`} data-invalid={isWrong || undefined}>
          {isWrong ? problem : texts.hint}
        </output>
      </form>
    </search>
  );
}
