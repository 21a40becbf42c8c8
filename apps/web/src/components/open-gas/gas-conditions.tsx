/** Temperature and pressures of the gas to which a calculation is open. */
import { NumberInput, TextInput } from '@mantine/core';
import { STABILITY_TEMPERATURES } from '@unitcell/contract/stability/rules';
import { useState } from 'react';
import { formulaText } from '../formula.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { readNumber } from '../../lib/format.ts';
import { type OpenGasState, writeOpenGas } from './open-gas-state.ts';
import { openGasTexts } from './texts.ts';

/** Typed values, and the gas from the address (`of`) to which they apply. */
interface TypedConditions {
  readonly temperature: number | string;
  readonly pressure: string;
  readonly secondPressure: string;
  readonly of: string;
}

interface GasConditionsProps {
  readonly open: OpenGasState;
  readonly onChange: (open: OpenGasState) => void;
}

/** Applied on blur or Enter, because every change redraws the diagram. */
export function GasConditions({ open, onChange }: GasConditionsProps) {
  const { t } = useTexts(openGasTexts);
  const asTyped = (): TypedConditions => ({
    temperature: open.temperature,
    pressure: String(open.pressure),
    secondPressure: String(open.second?.pressure ?? ''),
    of: writeOpenGas(open),
  });
  const [typed, setTyped] = useState(asTyped);
  // A new gas in the address replaces the typed values.
  if (typed.of !== writeOpenGas(open)) setTyped(asTyped());
  const { temperature, pressure, secondPressure } = typed;
  const { min, max } = STABILITY_TEMPERATURES;
  const [kelvin, bar, secondBar] = [
    Number(temperature),
    readNumber(pressure) ?? 0,
    readNumber(secondPressure) ?? 0,
  ];
  const isTemperature = temperature !== '' && kelvin >= min && kelvin <= max;
  const isPressure = bar > 0;
  const isSecond = open.second === null || secondBar > 0;
  const apply = (): void => {
    if (!isTemperature || !isPressure || !isSecond) return;
    const second = open.second && { ...open.second, pressure: secondBar };
    const next = { ...open, temperature: kelvin, pressure: bar, second };
    if (writeOpenGas(next) !== writeOpenGas(open)) onChange(next);
  };
  const boxes = {
    size: 'xs',
    onBlur: apply,
    onKeyDown: (event: { readonly key: string }) => {
      if (event.key === 'Enter') apply();
    },
  } as const;
  return (
    <>
      <NumberInput
        {...boxes}
        label={t('gasTemperature')}
        value={temperature}
        clampBehavior="none"
        hideControls
        error={isTemperature ? undefined : t('gasTemperatureRange', { min, max })}
        onChange={(next) => setTyped({ ...typed, temperature: next })}
      />
      <TextInput
        {...boxes}
        label={open.second ? t('gasPressureOf', { gas: formulaText(open.gas) }) : t('gasPressure')}
        value={pressure}
        inputMode="decimal"
        autoComplete="off"
        error={isPressure ? undefined : t('gasPressureRange')}
        onChange={(event) => setTyped({ ...typed, pressure: event.currentTarget.value })}
      />
      {open.second && (
        <TextInput
          {...boxes}
          label={t('gasPressureOf', { gas: formulaText(open.second.gas) })}
          value={secondPressure}
          inputMode="decimal"
          autoComplete="off"
          error={isSecond ? undefined : t('gasPressureRange')}
          onChange={(event) => setTyped({ ...typed, secondPressure: event.currentTarget.value })}
        />
      )}
    </>
  );
}
