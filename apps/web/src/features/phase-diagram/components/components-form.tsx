/** Box and button of the phase diagram page. */
import { IconTriangle, IconX } from '@tabler/icons-react';
import { Loader } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import type { ComponentsProblem } from '../components-input.ts';
import { phaseTexts } from '../texts.ts';
import classes from './phase-diagram.module.css';

interface ComponentsFormProps {
  readonly input: string;
  readonly problem: ComponentsProblem | null;
  readonly isLoading: boolean;
  readonly onInput: (input: string) => void;
  readonly onGenerate: () => void;
}

export function ComponentsForm({ input, problem, isLoading, onInput, onGenerate }: ComponentsFormProps) {
  const { t } = useTexts(phaseTexts);
  const noteId = useId();
  const box = useRef<HTMLInputElement>(null);
  const isDisabled = input.trim() === '' || isLoading || problem !== null;

  useEffect(() => {
    const generateFromBody = (event: KeyboardEvent): void => {
      if (event.key === 'Enter' && event.target === document.body && !isDisabled) onGenerate();
    };
    document.addEventListener('keydown', generateFromBody);
    return () => document.removeEventListener('keydown', generateFromBody);
  }, [isDisabled, onGenerate]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isDisabled) onGenerate();
  };
  return (
    <search>
      <form className={classes.form} onSubmit={submit}>
        <div className={classes.bar} data-invalid={problem !== null || undefined}>
          <input
            ref={box}
            className={classes.box}
            aria-label={t('query')}
            aria-invalid={problem !== null}
            aria-describedby={noteId}
            placeholder={t('placeholder')}
            value={input}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => onInput(event.currentTarget.value)}
          />
          {input !== '' && (
            <button
              type="button"
              className={classes.clear}
              aria-label={t('clear')}
              onClick={() => {
                onInput('');
                box.current?.focus();
              }}
            >
              <IconX size={16} aria-hidden="true" />
            </button>
          )}
          <button type="submit" className={classes.submit} disabled={isDisabled} aria-busy={isLoading}>
            {isLoading ? (
              <Loader size={16} color="currentColor" />
            ) : (
              <IconTriangle size={17} aria-hidden="true" />
            )}
            {t('generate')}
          </button>
        </div>
        <output id={noteId} className={classes.hint} data-invalid={problem !== null || undefined}>
          {problem === null ? t('hint') : <ProblemText problem={problem} />}
        </output>
      </form>
    </search>
  );
}

function ProblemText({ problem }: { readonly problem: ComponentsProblem }) {
  const { t } = useTexts(phaseTexts);
  if (problem.key === 'badComponent') return t('badComponent', { text: problem.text });
  return problem.key === 'tooMany' ? t('tooMany', { count: problem.count }) : t('tooFew');
}
