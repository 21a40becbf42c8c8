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
}

const CLOSED = 'closed';

export function OpenGas({ open, onChange }: OpenGasProps) {
  const { t } = useTexts(phaseTexts);
  return (
    <fieldset className={`uc-wrap ${classes.openGas}`} title={t('openSource')}>
      <NativeSelect
        size="xs"
        label={t('openTo')}
        value={open?.gas ?? CLOSED}
        data={[
          { value: CLOSED, label: t('closed') },
          ...Object.keys(RESERVOIRS).map((gas) => ({ value: gas, label: formulaText(gas) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange(isReservoir(value) ? { ...(open ?? AIR_FURNACE), gas: value } : null)
        }
      />
      {open && <Conditions open={open} onChange={onChange} />}
    </fieldset>
  );
}

/** Typed values, for the gas `of` from the address. */
interface TypedConditions {
  readonly temperature: number | string;
  readonly pressure: string;
  readonly of: string;
}

/** Applied on blur or Enter, because every change redraws the diagram. */
function Conditions({ open, onChange }: OpenGasProps & { readonly open: OpenGasState }) {
  const { t } = useTexts(phaseTexts);
  const asTyped = (): TypedConditions => ({
    temperature: open.temperature,
    pressure: String(open.pressure),
    of: writeOpenGas(open),
  });
  const [typed, setTyped] = useState(asTyped);
  // A new gas in the address replaces the typed values.
  if (typed.of !== writeOpenGas(open)) setTyped(asTyped());
  const { temperature, pressure } = typed;
  const { min, max } = TEMPERATURE_LIMITS;
  const [kelvin, bar] = [Number(temperature), Number(pressure)];
  const isTemperature = temperature !== '' && kelvin >= min && kelvin <= max;
  const isPressure = pressure.trim() !== '' && bar > 0 && Number.isFinite(bar);
  const apply = (): void => {
    if (!isTemperature || !isPressure) return;
    if (kelvin !== open.temperature || bar !== open.pressure)
      onChange({ ...open, temperature: kelvin, pressure: bar });
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
        label={t('gasPressure')}
        value={pressure}
        inputMode="decimal"
        autoComplete="off"
        error={isPressure ? undefined : t('gasPressureRange')}
        onChange={(event) => setTyped({ ...typed, pressure: event.currentTarget.value })}
      />
    </>
  );
}
