/** Search type, box and button. */
import { IconSearch, IconX } from '@tabler/icons-react';
import { Loader } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { type InputProblem, SEARCH_TYPES, type SearchType } from './search-input.ts';

import classes from './search-form.module.css';
import { searchFormTexts } from './texts.ts';

interface SearchFormProps {
  readonly type: SearchType;
  readonly input: string;
  readonly problem: InputProblem | null;
  readonly isSearching: boolean;
  readonly onType: (type: SearchType) => void;
  readonly onInput: (input: string) => void;
  readonly onSearch: () => void;
  /** Something else narrows the search, so the box may stay empty. */
  readonly mayBeEmpty?: boolean;
  /** How the third search type is called: `by Struct_id`, or `by Id`. */
  readonly idLabel?: 'struct_id' | 'id';
}

export function SearchForm(props: SearchFormProps) {
  const { type, input, problem, isSearching, onSearch, mayBeEmpty = false, idLabel = 'struct_id' } = props;
  const { t } = useTexts(searchFormTexts);
  const noteId = useId();
  const box = useRef<HTMLInputElement>(null);
  const isDisabled =
    problem !== null || isSearching || (type !== 'formula' && input.trim() === '' && !mayBeEmpty);

  useEffect(() => {
    const searchFromBody = (event: KeyboardEvent): void => {
      if (event.key === 'Enter' && event.target === document.body && !isDisabled) onSearch();
    };
    document.addEventListener('keydown', searchFromBody);
    return () => document.removeEventListener('keydown', searchFromBody);
  }, [isDisabled, onSearch]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isDisabled) onSearch();
  };
  return (
    <search>
      <form className={classes.form} onSubmit={submit}>
        <div className={classes.bar} data-invalid={problem !== null || undefined}>
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
          <input
            ref={box}
            className={classes.box}
            aria-label={t('query')}
            aria-invalid={problem !== null}
            aria-describedby={noteId}
            placeholder={t(`placeholder_${type}`)}
            value={input}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => props.onInput(event.currentTarget.value)}
          />
          {input !== '' && (
            <button
              type="button"
              className={classes.clear}
              aria-label={t('clear')}
              onClick={() => {
                props.onInput('');
                box.current?.focus();
              }}
            >
              <IconX size={16} aria-hidden="true" />
            </button>
          )}
          <button type="submit" className={classes.search} disabled={isDisabled} aria-busy={isSearching}>
            {isSearching ? (
              <Loader size={16} color="currentColor" />
            ) : (
              <IconSearch size={17} aria-hidden="true" />
            )}
            {t('search')}
          </button>
        </div>
        <output id={noteId} className={classes.note} data-invalid={problem !== null || undefined}>
          {problem === null ? t(`hint_${type}`) : <ProblemText problem={problem} />}
        </output>
      </form>
    </search>
  );
}

function ProblemText({ problem }: { readonly problem: InputProblem }) {
  const { t } = useTexts(searchFormTexts);
  if (problem.key === 'formulaSyntax') return t('formulaSyntax', { detail: problem.detail });
  if (problem.key === 'formulaStart') return t('formulaStart');
  return t(problem.key, { symbol: problem.symbol });
}
