/** An input for a number, which may be empty. */
import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface NumberBoxProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> {
  readonly value: number | null;
  /**
   * Called with null for an empty box. A number that the caller rejects stays in the box until the focus
   * leaves it.
   */
  readonly onChange: (value: number | null) => void;
}

/**
 * Keeps the typed text and not only its number. As numbers, `12.` would lose its point and `-0` its sign, so
 * that typing 12.5 would give 5, and typing -0.5 would give 0.5.
 */
export function NumberBox({ value, onChange, ...rest }: NumberBoxProps) {
  const shown = { text: value ?? '', sent: value, of: value } as const;
  const [typed, setTyped] = useState<{
    readonly text: number | string;
    readonly sent: number | null;
    readonly of: number | null;
  }>(shown);
  // A value changed from outside replaces the typed text.
  if (typed.of !== value) setTyped(typed.sent === value ? { ...typed, of: value } : shown);
  return (
    <NumberInput
      {...rest}
      value={typed.text}
      onChange={(text) => {
        const number = Number(text);
        const sent = text === '' || Number.isNaN(number) ? null : number;
        setTyped({ text, sent, of: value });
        onChange(sent);
      }}
      onBlur={() => setTyped(shown)}
    />
  );
}
