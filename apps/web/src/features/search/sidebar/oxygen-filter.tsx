/** Filter by stability in oxygen: temperature and pressure become a chemical potential. */
import type { zeroOfScale } from '@unitcell/contract/phase-diagram/rules';
import { gasPotentials, gasTemperature, TEMPERATURE_LIMITS } from '@unitcell/phase-equilibria';
import { useState } from 'react';
import { type Conditions, oxygenOf, withOxygen } from '../../../components/filter/conditions.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber, readNumber } from '../../../lib/format.ts';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';

/** Default: a furnace in air; temperature in °C, partial pressure of oxygen in bar. */
const FURNACE = { celsius: '800', bar: '0.21' } as const;
const ZERO_CELSIUS = 273.15;
const LIMITS = { min: -273, max: Math.floor(TEMPERATURE_LIMITS.max - ZERO_CELSIUS) } as const;

/** Reference temperature in K of the elements, for the energy scale. */
type Zero = ReturnType<typeof zeroOfScale>;

interface Typed {
  readonly celsius: string;
  readonly bar: string;
}

/** eV per O, rounded to the digits of the filter; null if the input is invalid. */
function potentialOf({ celsius, bar }: Typed, zero: Zero): number | null {
  const [kelvin, pressure] = [(readNumber(celsius) ?? Number.NaN) + ZERO_CELSIUS, readNumber(bar) ?? 0];
  const { min, max } = TEMPERATURE_LIMITS;
  const isRight = kelvin >= min && kelvin <= max && pressure > 0 && pressure < 1e9;
  const potential = isRight ? gasPotentials([{ gas: 'O2', pressure }], kelvin, zero)?.['O'] : undefined;
  return potential === undefined ? null : Number(potential.toFixed(4));
}

/** The temperature at which oxygen in air has the given potential (eV per O). */
function typedOf(potential: number, zero: Zero): Typed {
  const kelvin = gasTemperature('O2', 2 * potential, Number(FURNACE.bar), zero);
  return kelvin === null ? FURNACE : { ...FURNACE, celsius: (kelvin - ZERO_CELSIUS).toFixed(0) };
}

interface OxygenFilterProps {
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
  readonly zero: Zero;
}

export function OxygenFilter({ conditions, onConditions, zero }: OxygenFilterProps) {
  const { t } = useTexts(screenTexts);
  const active = oxygenOf(conditions);
  const [typed, setTyped] = useState<Typed>(() => (active === null ? FURNACE : typedOf(active, zero)));
  const potential = potentialOf(typed, zero);
  const [seen, setSeen] = useState(active);
  // Going back, or another saved search, changes the potential from outside: the boxes follow it.
  if (seen !== active) {
    setSeen(active);
    if (active !== null && active !== potential) setTyped(typedOf(active, zero));
  }
  const change = (next: Typed): void => {
    setTyped(next);
    const changed = potentialOf(next, zero);
    if (active !== null && changed !== null) onConditions(withOxygen(conditions, changed));
  };
  const box = (name: keyof Typed, label: string) => (
    <label className={`uc-line ${classes.ion}`}>
      {label}
      <input
        className={classes.condition}
        inputMode="decimal"
        autoComplete="off"
        value={typed[name]}
        onChange={(event) => change({ ...typed, [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <>
      <label className={`uc-line ${classes.choice}`}>
        <input
          type="checkbox"
          checked={active !== null}
          disabled={potential === null}
          onChange={({ currentTarget: { checked } }) =>
            onConditions(withOxygen(conditions, checked ? potential : null))
          }
        />
        <span className={classes.choiceName}>{t('stableInOxygen')}</span>
      </label>
      {box('celsius', t('celsius'))}
      {box('bar', t('oxygenPressure'))}
      <output className={`uc-fine ${classes.note} ${classes.output}`}>
        {potential === null
          ? t('badOxygen', LIMITS)
          : t('oxygenPotential', { potential: formatNumber(active ?? potential, { decimals: 3 }) })}
      </output>
    </>
  );
}
