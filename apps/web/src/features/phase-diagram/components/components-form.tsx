/** Box and button of the phase diagram page. */
import { IconTriangle } from '@tabler/icons-react';
import { SearchBar } from '../../../components/search-form/search-bar.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { ComponentsProblem } from '../components-input.ts';
import { phaseTexts } from '../texts.ts';

interface ComponentsFormProps {
  readonly input: string;
  readonly problem: ComponentsProblem | null;
  readonly isLoading: boolean;
  readonly onInput: (input: string) => void;
  readonly onGenerate: () => void;
}

const MAX_LENGTH = 200;

export function ComponentsForm({ input, problem, isLoading, onInput, onGenerate }: ComponentsFormProps) {
  const { t } = useTexts(phaseTexts);
  return (
    <SearchBar
      input={input}
      texts={{
        query: t('query'),
        placeholder: t('placeholder'),
        clear: t('clear'),
        submit: t('generate'),
        hint: t('hint'),
      }}
      problem={problem && <ProblemText problem={problem} />}
      isBusy={isLoading}
      isDisabled={input.trim() === '' || isLoading || problem !== null}
      icon={<IconTriangle size={17} aria-hidden="true" />}
      maxLength={MAX_LENGTH}
      onInput={onInput}
      onSubmit={onGenerate}
    />
  );
}

function ProblemText({ problem }: { readonly problem: ComponentsProblem }) {
  const { t } = useTexts(phaseTexts);
  if (problem.key === 'badComponent') return t('badComponent', { text: problem.text });
  return problem.key === 'tooMany' ? t('tooMany', { count: problem.count }) : t('tooFew');
}
