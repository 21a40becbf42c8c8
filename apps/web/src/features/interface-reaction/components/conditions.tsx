/** Settings of an open interface: the element, its chemical potential, and presets. */
import { Button, Checkbox, NativeSelect, NumberInput, Slider } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getEnergyScales } from '@unitcell/contract/calls';
import { isReservoir, type Reservoir, RESERVOIRS, zeroOfScale } from '@unitcell/contract/phase-diagram/rules';
import { STABILITY_TEMPERATURES } from '@unitcell/contract/stability/rules';
import { parseFormula } from '@unitcell/crystal';
import { ELEMENTS } from '@unitcell/elements';
import { useState } from 'react';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { FoldedFilters } from '../../../components/folded-filters.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { TemperatureSlider } from '../../../components/open-gas/phase-temperature.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { interfaceTexts } from '../texts.ts';
import type { ReactionQuery } from '../view-model.ts';
import { InlineFailure } from '../../../components/failure.tsx';
import classes from './interface.module.css';

interface ConditionsProps {
  readonly query: ReactionQuery;
  readonly onChange: (change: Partial<ReactionQuery>) => void;
}

/** Lower end of the slider, eV/atom; the address and the API accept values down to −10. */
const LOWEST_POTENTIAL = -6;
const CLOSED = 'closed';
const SYMBOLS = ELEMENTS.map(({ symbol }) => symbol);

export function Conditions({ query, onChange }: ConditionsProps) {
  const { t } = useTexts(interfaceTexts);
  const { openElement, chemicalPotential, temperature } = query;
  const active = [
    ...(openElement === '' ? [] : [`${t('openElement')}: ${openElement}`]),
    ...(temperature === null ? [] : [`${temperature} K`]),
    ...(query.usesHullEnergy ? [t('usesHull')] : []),
  ];
  return (
    <FoldedFilters name={t('options')} active={active}>
      <fieldset className={`uc-stack ${classes.conditions}`}>
        <legend className="uc-caption">{t('options')}</legend>
        <div className={`uc-wrap uc-fields ${classes.conditionRow}`}>
          <EnergyScaleSelect scale={query.scale} onChange={(scale) => onChange({ scale })} />
          <NativeSelect
            size="xs"
            label={t('openElement')}
            className={classes.element}
            data={[
              { value: CLOSED, label: t('closed') },
              // Keep an element from the address in the list even if it is invalid; the answer reports that.
              ...new Set([...SYMBOLS, ...(openElement === '' ? [] : [openElement])]),
            ]}
            value={openElement === '' ? CLOSED : openElement}
            onChange={({ currentTarget: { value } }) =>
              onChange({ openElement: value === CLOSED ? '' : value, chemicalPotential: 0 })
            }
          />
          {openElement !== '' && (
            <Potential
              // The key recreates the slider when a preset changes its value.
              key={`${openElement} ${chemicalPotential}`}
              element={openElement}
              value={chemicalPotential}
              onChange={(value) => onChange({ chemicalPotential: value })}
            />
          )}
        </div>
        <Presets query={query} onChange={onChange} />
        <TemperatureSlider temperature={temperature} onChange={(next) => onChange({ temperature: next })} />
        <Checkbox
          label={t('usesHull')}
          checked={query.usesHullEnergy}
          onChange={(event) => onChange({ usesHullEnergy: event.currentTarget.checked })}
        />
      </fieldset>
    </FoldedFilters>
  );
}

interface PotentialProps {
  readonly element: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Potential({ element, value, onChange }: PotentialProps) {
  const { t } = useTexts(interfaceTexts);
  const [moved, setMoved] = useState(value);
  return (
    <div className={classes.potential}>
      <span className={`uc-note ${classes.potentialText}`} id="chemical-potential">
        {t('potential', { element })}:{' '}
        <strong>
          {moved === 0
            ? t('potentialPure', { element })
            : t('potentialUnit', { value: formatNumber(-moved, { decimals: 2 }) })}
        </strong>
      </span>
      <Slider
        aria-labelledby="chemical-potential"
        thumbLabel={t('potential', { element })}
        min={Math.min(LOWEST_POTENTIAL, value)}
        max={0}
        step={0.01}
        value={moved}
        label={(now) => formatNumber(now, { decimals: 2 })}
        onChange={setMoved}
        onChangeEnd={onChange}
      />
    </div>
  );
}

/**
 * The element whose potential a gas sets: the element that its second gas does not contain, such as nitrogen of NH3
 * beside H2; oxygen for CO and CO2.
 */
const elementOf = (gas: Reservoir): string => {
  const partner = RESERVOIRS[gas];
  const others = partner === null ? {} : parseFormula(partner);
  return Object.keys(parseFormula(gas)).find((element) => !(element in others)) ?? 'O';
};

function Presets({ query: { scale, temperature: phasesAt }, onChange }: ConditionsProps) {
  const { t } = useTexts(interfaceTexts);
  const { data: scales } = useQuery(apiQuery({ call: getEnergyScales, body: undefined }));
  const zero = zeroOfScale(scale ?? scales?.default ?? '');
  const [gas, setGas] = useState<Reservoir>('O2');
  const [typedTemperature, setTemperature] = useState<number | string>(298);
  // Phases with Gibbs energies set the temperature of the gas.
  const temperature = phasesAt ?? typedTemperature;
  const [pressure, setPressure] = useState<number | string>(0.21);
  const [secondPressure, setSecondPressure] = useState<number | string>(1);
  const second = RESERVOIRS[gas];
  const { min, max } = STABILITY_TEMPERATURES;
  const kelvin = Number(temperature);
  const isPressure = (value: number | string): boolean => value !== '' && Number(value) > 0;
  const isPossible =
    temperature !== '' &&
    kelvin >= min &&
    kelvin <= max &&
    isPressure(pressure) &&
    (second === null || isPressure(secondPressure));
  const apply = async (): Promise<void> => {
    const element = elementOf(gas);
    const gases = [
      { gas, pressure: Number(pressure) },
      ...(second === null ? [] : [{ gas: second, pressure: Number(secondPressure) }]),
    ];
    const { presetPotentials } = await import('../gas-presets.ts');
    const potentials = presetPotentials(gases, { temperature: kelvin, withPhases: phasesAt !== null, zero });
    const potential = Math.min(0, potentials?.[element] ?? 0);
    onChange({ openElement: element, chemicalPotential: Math.round(potential * 1e4) / 1e4 });
  };
  const pressureBox = (label: string, value: number | string, set: (value: number | string) => void) => (
    <NumberInput
      aria-label={label}
      size="xs"
      suffix=" bar"
      value={value}
      error={!isPressure(value)}
      onChange={set}
    />
  );
  return (
    <div className={`uc-wrap uc-fields ${classes.conditionRow}`}>
      <Button
        variant="default"
        size="xs"
        onClick={() => onChange({ openElement: 'Li', chemicalPotential: 0 })}
      >
        {t('presetLi')}
      </Button>
      <div className={`uc-wrap uc-note ${classes.gas}`} title={t('presetSource')}>
        <NativeSelect
          aria-label={t('presetGas')}
          size="xs"
          value={gas}
          data={Object.entries(RESERVOIRS).map(([value, other]) => ({
            value,
            label: other === null ? formulaText(value) : `${formulaText(value)} + ${formulaText(other)}`,
          }))}
          onChange={({ currentTarget: { value } }) => {
            if (isReservoir(value)) setGas(value);
          }}
        />
        <NumberInput
          aria-label={t('temperature')}
          size="xs"
          suffix=" K"
          value={temperature}
          min={min}
          max={max}
          clampBehavior="none"
          error={!isPossible}
          disabled={phasesAt !== null}
          onChange={setTemperature}
        />
        {pressureBox(t('pressure'), pressure, setPressure)}
        {second !== null &&
          pressureBox(t('secondPressure', { gas: formulaText(second) }), secondPressure, setSecondPressure)}
        <Button variant="default" size="xs" disabled={!isPossible} onClick={() => void apply()}>
          {t('presetApply')}
        </Button>
        <InlineFailure error={isPossible ? '' : t('presetRange', { min, max })} />
      </div>
    </div>
  );
}
