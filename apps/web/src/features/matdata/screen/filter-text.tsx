/** The whole filter in words, to read, copy, and write by hand. */
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './rail.module.css';
import { screenTexts } from './texts.ts';

interface FilterTextProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

export function FilterText({ text, onText }: FilterTextProps) {
  const { t } = useTexts(screenTexts);
  const [typed, setTyped] = useState({ text, of: text });
  if (typed.of !== text) setTyped({ text, of: text });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onText(typed.text.trim());
  };
  return (
    <form className={classes.words} onSubmit={submit}>
      <textarea
        aria-label={t('asText')}
        rows={4}
        spellCheck={false}
        translate="no"
        value={typed.text}
        onChange={(event) => setTyped({ ...typed, text: event.currentTarget.value })}
      />
      <p className={classes.note}>{t('asTextHint')}</p>
      <button type="submit" className={classes.apply} disabled={typed.text.trim() === text}>
        {t('apply')}
      </button>
    </form>
  );
}
