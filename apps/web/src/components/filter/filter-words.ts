/** Display names, units and conditions of a filter. */
import { createContext, useCallback, useContext } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import type { Chip } from './conditions.ts';
import { fieldLabel, fieldUnit, flagLabel, NUMBER_PROPERTIES, optionLabel } from './filter-fields.ts';

export const filterTexts = defineTexts('filter', {
  en: {
    with: 'with',
    without: 'without',
    only: 'only these',
    isKnown: '{{name}} known',
    isUnknown: '{{name}} unknown',
    stableInOxygen: 'stable at μ(O) = {{potential}} eV',
    has_band: 'Band structure',
    has_dos: 'Density of states',
    has_hse: 'HSE bands',
    has_elastic: 'Elastic tensor',
    has_epsilon: 'Dielectric tensor',
    has_piezo: 'Piezoelectric tensor',
    has_topology: 'Topology',
    is_hubbard: 'Hubbard U used',
    has_predicted: 'Predicted values',
  },
  zh: {
    with: '含',
    without: '不含',
    only: '仅含',
    isKnown: '{{name}}：有数值',
    isUnknown: '{{name}}：无数值',
    stableInOxygen: '在 μ(O) = {{potential}} eV 下稳定',
    has_band: '能带结构',
    has_dos: '态密度',
    has_hse: 'HSE 能带',
    has_elastic: '弹性张量',
    has_epsilon: '介电张量',
    has_piezo: '压电张量',
    has_topology: '拓扑',
    is_hubbard: '使用了 Hubbard U',
    has_predicted: '预测值',
  },
});

interface Calculated {
  /** Expressions in square brackets. */
  readonly names: readonly string[];
  /** Units of columns, from the answers received so far. */
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
