/** The gas to which a diagram is open, with temperature and pressure. */
import { NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { isReservoir, RESERVOIRS } from '@unitcell/contract/phase-diagram/rules';
import { TEMPERATURE_LIMITS } from '@unitcell/phase-equilibria';
import { useState } from 'react';
import { formulaText } from '../../../components/formula.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { AIR_FURNACE, type OpenGasState, writeOpenGas } from '../open-gas.ts';
import classes from '../phase-diagram.module.css';
import { phaseTexts } from '../texts.ts';

interface OpenGasProps {
  readonly open: OpenGasState | null;
  readonly onChange: (open: OpenGasState | null) => void;
  /** Label and the name of the choice without a gas; by default those of an open diagram. */
  readonly label?: string;
  readonly noGas?: string;
}

const CLOSED = 'closed';

export function OpenGas({ open, onChange, label, noGas }: OpenGasProps) {
  const { t } = useTexts(phaseTexts);
  return (
    <fieldset className={`uc-wrap ${classes.openGas}`} title={t('openSource')}>
      <NativeSelect
        size="xs"
        label={label ?? t('openTo')}
        value={open?.gas ?? CLOSED}
        data={[
          { value: CLOSED, label: noGas ?? t('closed') },
          ...Object.keys(RESERVOIRS).map((gas) => ({ value: gas, label: formulaText(gas) })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (!isReservoir(value)) return onChange(null);
          const partner = RESERVOIRS[value];
          // A compound needs a second gas, because it fixes only the sum of the potentials of its elements.
          const second = partner === null ? null : { gas: partner, pressure: 1 };
          return onChange({ ...(open ?? AIR_FURNACE), gas: value, second });
        }}
      />
      {open && (
        <NativeSelect
          size="xs"
          label={t('secondGas')}
          value={open.second?.gas ?? CLOSED}
          data={[
            { value: CLOSED, label: t('noSecondGas') },
            ...Object.keys(RESERVOIRS)
              .filter((gas) => gas !== open.gas)
              .map((gas) => ({ value: gas, label: formulaText(gas) })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const pressure = open.second?.pressure ?? 1;
            onChange({ ...open, second: isReservoir(value) ? { gas: value, pressure } : null });
          }}
        />
      )}
      {open && <Conditions open={open} onChange={onChange} />}
    </fieldset>
  );
}

/** Typed values, for the gas `of` from the address. */
interface TypedConditions {
  readonly temperature: number | string;
  readonly pressure: string;
  readonly secondPressure: string;
  readonly of: string;
}

/** Applied on blur or Enter, because every change redraws the diagram. */
function Conditions({ open, onChange }: OpenGasProps & { readonly open: OpenGasState }) {
  const { t } = useTexts(phaseTexts);
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
  const { min, max } = TEMPERATURE_LIMITS;
  const [kelvin, bar, secondBar] = [Number(temperature), Number(pressure), Number(secondPressure)];
  const isTemperature = temperature !== '' && kelvin >= min && kelvin <= max;
  const isPositive = (text: string): boolean =>
    text.trim() !== '' && Number(text) > 0 && Number.isFinite(Number(text));
  const isPressure = isPositive(pressure);
  const isSecond = open.second === null || isPositive(secondPressure);
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
