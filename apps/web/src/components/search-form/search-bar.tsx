/** The search bar: a text box that can be cleared, the button, and a line for hints and errors. */
import { IconX } from '@tabler/icons-react';
import { Loader } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { isSearchKey } from '../../lib/search-key.ts';
import classes from './search-form.module.css';

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
