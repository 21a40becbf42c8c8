/** The form of a diagram of elements over a range, Ellingham (K) and Pourbaix (V), and a note on radioactive elements. */
import { Button, NumberInput, TextInput } from '@mantine/core';
import { isRadioactive } from '@unitcell/elements';
import { type FormEvent, type ReactNode, useState } from 'react';
import page from '../../../components/panel.module.css';
import { useTexts } from '../../../i18n/texts.ts';
import { stabilityTexts } from '../texts.ts';
import classes from './stability.module.css';

/** Names elements without a stable isotope, if there are any. */
export function RadioactiveNote({ elements }: { readonly elements: readonly string[] }) {
  const { t } = useTexts(stabilityTexts);
  const named = elements.filter(isRadioactive);
  return named.length > 0 && <p className="uc-note">{t('radioactive', { elements: named.join(', ') })}</p>;
}

interface ElementsOverRange {
  readonly elements: string;
  readonly min: number;
  readonly max: number;
}

interface ElementsFormProps {
  /** From the address. */
  readonly input: ElementsOverRange;
  readonly unit: 'K' | 'V';
  readonly example: string;
  readonly maxLength: number;
  /** True if the elements may also be given elsewhere, so that the box may stay empty. */
  readonly mayBeEmpty?: boolean;
  readonly isBusy: boolean;
  readonly onDraw: (drawn: ElementsOverRange) => void;
  /** Inputs before the box of the elements. */
  readonly children?: ReactNode;
}

export function ElementsForm({ input, unit, isBusy, onDraw, children, ...rest }: ElementsFormProps) {
  const { t } = useTexts(stabilityTexts);
  const asTyped = () => ({
    elements: input.elements,
    min: input.min as number | string,
    max: input.max as number | string,
    of: input,
  });
  const [typed, setTyped] = useState(asTyped);
  // Updates the boxes when Back or Forward changes the address.
  if (typed.of.elements !== input.elements || typed.of.min !== input.min || typed.of.max !== input.max)
    setTyped(asTyped());
  const { elements, min, max } = typed;
  const isReady = (elements.trim() !== '' || rest.mayBeEmpty === true) && min !== '' && max !== '';
  const draw = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) onDraw({ elements: elements.trim(), min: Number(min), max: Number(max) });
  };
  return (
    <form className={`uc-wrap uc-fields ${page.toolForm}`} onSubmit={draw}>
      {children}
      <TextInput
        className={classes.side}
        size="md"
        label={t('elements')}
        placeholder={rest.example}
        value={elements}
        maxLength={rest.maxLength}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped({ ...typed, elements: event.currentTarget.value })}
      />
      {(['min', 'max'] as const).map((end) => (
        <NumberInput
          key={end}
          className={`uc-short ${classes.limit}`}
          size="md"
          label={t(end === 'min' ? 'from' : 'to', { unit })}
          value={typed[end]}
          clampBehavior="none"
          hideControls
          onChange={(value) => setTyped({ ...typed, [end]: value })}
        />
      ))}
      <Button type="submit" size="md" disabled={!isReady} loading={isBusy}>
        {t('draw')}
      </Button>
    </form>
  );
}

interface AppliedProps {
  readonly label: string;
  readonly inputMode?: 'decimal';
  readonly value: string;
  readonly problem: string;
  readonly isPossible: (text: string) => boolean;
  readonly onApply: (text: string) => void;
}

/** A box that is applied on blur or Enter, because a partly typed value is not valid yet. */
export function Applied({ value, problem, isPossible, onApply, ...rest }: AppliedProps) {
  const [typed, setTyped] = useState({ text: value, of: value });
  if (typed.of !== value) setTyped({ text: value, of: value });
  const isGood = isPossible(typed.text);
  const apply = (): void => {
    if (isGood && typed.text !== value) onApply(typed.text);
  };
  return (
    <TextInput
      {...rest}
      className={`uc-short ${classes.pressure}`}
      size="sm"
      value={typed.text}
      autoComplete="off"
      error={isGood ? undefined : problem}
      onChange={(event) => setTyped({ text: event.currentTarget.value, of: value })}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
