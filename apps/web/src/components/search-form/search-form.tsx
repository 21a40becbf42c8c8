/** Search type, box and button. */
import { IconSearch } from '@tabler/icons-react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { FormulaProblemText } from './formula-problem.tsx';
import { SearchBar } from './search-bar.tsx';
import classes from './search-form.module.css';
import { type InputProblem, SEARCH_TYPES, type SearchType } from './search-input.ts';

const searchFormTexts = defineTexts('search-form', {
  en: {
    by: 'Search by',
    elements: 'by Elements',
    formula: 'by Formula',
    struct_id: 'by Struct_id',
    placeholder_elements: 'e.g. Ti-O',
    placeholder_formula: 'e.g. TiO2',
    placeholder_struct_id: 'e.g. 126096',
    query: 'Search for',
    clear: 'Clear',
    search: 'Search',
    hint_elements: 'Exact match. Add -* to allow other elements: Ti-O-*',
    hint_formula: 'Order and brackets do not matter. An empty box searches Li(CoO2)2.',
    hint_struct_id: 'With or without leading zeros',
    unknownElement: '“{{symbol}}” is not an element',
    formulaInElements:
      '“{{symbol}}” looks like a formula: choose “by Formula”, or separate elements with hyphens',
    formulaStart: 'A formula starts with an element symbol, e.g. TiO2',
    id: 'by ID',
  },
  zh: {
    by: '检索方式',
    elements: '按元素',
    formula: '按化学式',
    struct_id: '按材料编号',
    placeholder_elements: '例如 Ti-O',
    placeholder_formula: '例如 TiO2',
    placeholder_struct_id: '例如 126096',
    query: '检索内容',
    clear: '清空',
    search: '检索',
    hint_elements: '仅含这些元素；加 -* 表示至少含这些元素：Ti-O-*',
    hint_formula: '元素次序与括号写法不影响结果；留空则检索 Li(CoO2)2。',
    hint_struct_id: '前导零可有可无',
    unknownElement: '“{{symbol}}”不是元素符号',
    formulaInElements: '“{{symbol}}”像是化学式：请选择“按化学式”，或用连字符分隔元素',
    formulaStart: '化学式应以元素符号开头，例如 TiO2',
    id: '按编号',
  },
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
