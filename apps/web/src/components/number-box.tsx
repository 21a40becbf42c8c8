/** A box for a number, or for none. */
import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface NumberBoxProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> {
  readonly value: number | null;
  /** Called with null for an empty box. A number that is not taken stays in the box until the focus leaves it. */
  readonly onChange: (value: number | null) => void;
}

/**
 * Keeps the text as it is typed, because a number is not its text: as numbers, `12.` would lose its point and `-0` its
 * sign, so that 12.5 became 5 and -0.5 became 0.5.
 */
export function NumberBox({ value, onChange, ...rest }: NumberBoxProps) {
  const shown = { text: value ?? '', sent: value, of: value } as const;
  const [typed, setTyped] = useState<{
    readonly text: number | string;
    readonly sent: number | null;
    readonly of: number | null;
  }>(shown);
  // A number from elsewhere replaces the text.
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
