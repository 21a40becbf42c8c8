/** Partial pressures of the gases of an equation. */
import { TextInput } from '@mantine/core';
import type { ReactionSpecies } from '@unitcell/contract/stability';
import { useState } from 'react';
import { formulaText } from '../../../components/formula.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { reactionTexts } from '../texts.ts';
import classes from './stability.module.css';

interface GasPressuresProps {
  readonly species: readonly ReactionSpecies[];
  readonly onChange: (gas: string, pressure: number) => void;
}

export function GasPressures({ species, onChange }: GasPressuresProps) {
  const { t } = useTexts(reactionTexts);
  const gases = species.filter(({ phase }) => phase === 'gas');
  if (gases.length === 0) return null;
  return (
    <fieldset className={`uc-wrap uc-fields ${classes.pressures}`}>
      <legend className="uc-caption">{t('pressures')}</legend>
      {gases.map(({ formula, pressure }) => (
        <GasPressure
          key={formula}
          gas={formula}
          pressure={pressure ?? 1}
          onChange={(value) => onChange(formula, value)}
        />
      ))}
    </fieldset>
  );
}

interface GasPressureProps {
  readonly gas: string;
  /** bar */
  readonly pressure: number;
  readonly onChange: (pressure: number) => void;
}

/** A box for the pressure of a gas, applied on blur or Enter, because a partly typed number is not a pressure yet. */
function GasPressure({ gas, pressure, onChange }: GasPressureProps) {
  const { t } = useTexts(reactionTexts);
  const [typed, setTyped] = useState({ text: String(pressure), of: pressure });
  // A new pressure in the address replaces the typed one.
  if (typed.of !== pressure) setTyped({ text: String(pressure), of: pressure });
  const value = Number(typed.text);
  const isPossible = typed.text.trim() !== '' && value > 0 && Number.isFinite(value);
  const apply = (): void => {
    if (isPossible && value !== pressure) onChange(value);
  };
  return (
    <TextInput
      className={`uc-short ${classes.pressure}`}
      size="sm"
      label={t('pressure', { gas: formulaText(gas) })}
      value={typed.text}
      inputMode="decimal"
      autoComplete="off"
      error={isPossible ? undefined : t('pressureProblem')}
      onChange={(event) => setTyped({ text: event.currentTarget.value, of: pressure })}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
