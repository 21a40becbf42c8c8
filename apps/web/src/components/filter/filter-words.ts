/** Display names, units and conditions of a filter. */
import { createContext, useCallback, useContext } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Chip } from './conditions.ts';
import { fieldLabel, fieldUnit, flagLabel, NUMBER_PROPERTIES, optionLabel } from './filter-fields.ts';
import { filterTexts } from './texts.ts';

interface Calculated {
  /** Expressions in square brackets. */
  readonly names: readonly string[];
  /** Units from answers received so far. */
  readonly units: Readonly<Record<string, string>>;
}

/** The calculated columns of the page. */
export const CalculatedContext = createContext<Calculated>({ names: [], units: {} });

/** All numbers that can be plotted, calculated ones included. */
export const useNumberNames = (): readonly string[] => [
  ...useContext(CalculatedContext).names,
  ...NUMBER_PROPERTIES,
];

/** The unit of a column, or an empty string. */
export function useFieldUnit(): (name: string) => string {
  const { units } = useContext(CalculatedContext);
  return useCallback((name) => units[name] ?? fieldUnit(name), [units]);
}

/** `Band gap (eV)` */
export function useFieldTitle(): (name: string) => string {
  const { language } = useTexts(filterTexts);
  const unitOf = useFieldUnit();
  return useCallback(
    (name) => {
      const unit = unitOf(name);
      return `${fieldLabel(name, language)}${unit === '' ? '' : ` (${unit})`}`;
    },
    [language, unitOf],
  );
}

/** Formats with a true minus sign. */
const shown = (value: number | null): string => String(value).replace('-', '\u2212');

export function useChipText(): (chip: Chip) => string {
  const { t, language } = useTexts(filterTexts);
  const unitOf = useFieldUnit();
  return (chip) => {
    switch (chip.kind) {
      case 'element':
        return `${t(chip.mode)} ${chip.symbol}`;
      case 'range': {
        const { from, to } = chip.range;
        const name = fieldLabel(chip.property, language);
        const unit = unitOf(chip.property);
        const ends =
          from === to
            ? `= ${shown(from)}`
            : from === null
              ? `≤ ${shown(to)}`
              : to === null
                ? `≥ ${shown(from)}`
                : `${shown(from)}–${shown(to)}`;
        return `${name} ${ends} ${unit}`.trimEnd();
      }
      case 'choice':
        return optionLabel(chip.property, chip.value, language);
      case 'flag':
        return flagLabel(chip.property, language, t);
      case 'known':
        return t(chip.isKnown ? 'isKnown' : 'isUnknown', { name: fieldLabel(chip.property, language) });
      case 'oxygen':
        return t('stableInOxygen', { potential: shown(chip.potential) });
      default:
        return chip.text;
    }
  };
}
