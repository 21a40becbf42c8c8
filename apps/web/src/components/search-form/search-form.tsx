/** Search type, box and button. */
import { IconSearch } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { FormulaProblemText } from './formula-problem.tsx';
import { SearchBar } from './search-bar.tsx';
import classes from './search-form.module.css';
import { type InputProblem, SEARCH_TYPES, type SearchType } from './search-input.ts';
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
